#include "dg/operator/device_arrays.hpp"

#include <span>

#include <gtest/gtest.h>

#include "tests/support/test_device.hpp"

namespace maxwell_dg::dg {
namespace {

TEST(DeviceArrays, more_reals_than_a_piece_holds_arrive_at_their_places) {
  const core::Device device = testing::test_device();
  const core::Stream stream = device.create_stream();
  const std::size_t size = 2 * piece_values + 3;
  for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
    const core::Buffer buffer =
        upload_reals(device, stream, precision, size, [](std::size_t i) { return 0.5 * static_cast<double>(i); });
    for (const std::size_t first : {std::size_t{0}, piece_values - 2, 2 * piece_values - 1}) {
      HostReals some(precision, 4);
      stream.read(buffer, first * size_of(precision), some.bytes());
      stream.synchronize();
      for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(some.get(i), 0.5 * static_cast<double>(first + i));
    }
  }
}

TEST(DeviceArrays, no_reals_are_a_buffer_that_a_kernel_can_be_given) {
  const core::Device device = testing::test_device();
  const core::Stream stream = device.create_stream();
  EXPECT_GT(upload_reals(device, stream, Dtype::float32, 0, [](std::size_t) { return 1.0; }).size_bytes(), 0U);
}

}  // namespace
}  // namespace maxwell_dg::dg
