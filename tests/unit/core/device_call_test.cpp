#include <numeric>

#include "core/device/call.hpp"
#include "tests/unit/core/device_test_support.hpp"

namespace maxwell_dg::core::test {
namespace {

class DeviceCall : public EveryDevice {};
MAXWELL_DG_ON_EVERY_DEVICE(DeviceCall);

TEST_P(DeviceCall, host_memory_goes_in_out_and_both_ways) {
  const Kernel kernel = build_module(device, R"(
KERNEL void k(GLOBAL const float* x, GLOBAL float* y, GLOBAL int* z, float scale) {
  y[ITEM] = scale * x[ITEM];
  z[ITEM] += 1;
})")
                            .kernel("k");
  const std::vector<float> x{1, 2, 3, 4};
  std::vector<float> y(4);
  std::array<int, 4> z{10, 20, 30, 40};
  call(device, kernel, {.group_size = {4, 1, 1}}, {In(x), Out(y), InOut(z), 2.5F});
  EXPECT_EQ(y, (std::vector<float>{2.5, 5, 7.5, 10}));
  EXPECT_EQ(z, (std::array<int, 4>{11, 21, 31, 41}));
  EXPECT_EQ(device.allocated_bytes(), 0U);
}

TEST_P(DeviceCall, device_buffers_and_host_memory_mix_and_are_checked) {
  const Kernel kernel =
      build_module(device, "KERNEL void k(GLOBAL int* x, GLOBAL int* y) { y[ITEM] = x[ITEM]; }").kernel("k");
  const Buffer x = device.allocate(16);
  const Stream stream = device.create_stream();
  stream.fill(x, 6);
  stream.synchronize();
  std::vector<int> y(4);
  call(device, kernel, {.group_size = {4, 1, 1}}, {x, Out(y)});
  EXPECT_EQ(y, std::vector<int>(4, 6));
  EXPECT_EQ(message_of<DeviceError>([&] { call(device, kernel, {}, {In(y)}); }),
            "kernel 'k' takes 2 arguments, 1 were given");
}

}  // namespace
}  // namespace maxwell_dg::core::test
