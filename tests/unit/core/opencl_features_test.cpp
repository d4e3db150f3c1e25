#include <algorithm>
#include <numeric>

#include "core/device/recording.hpp"
#include "core/opencl/image.hpp"
#include "core/opencl/profiling.hpp"
#include "core/opencl/sub_groups.hpp"
#include "tests/unit/core/device_test_support.hpp"

namespace maxwell_dg::core::test {
namespace {

/// Tests of what only OpenCL has; they skip where there is no OpenCL device.
class OpenclFeatures : public testing::Test {
 protected:
  void SetUp() override {
    const auto all = list_devices();
    const auto found = std::ranges::find(all, Backend::opencl, &DeviceInfo::backend);
    if (found == all.end()) GTEST_SKIP() << "no OpenCL device on this machine";
    device = Device::open(*found);
    stream = device.create_stream();
  }
  Device device;
  Stream stream;
};

constexpr const char* kImages = R"(
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
KERNEL void sample(read_only image2d_t image, GLOBAL float4* out, float y) {
  out[ITEM] = read_imagef(image, nearest, (float2)(ITEM + 0.5f, y));
}
KERNEL void paint(write_only image2d_t image) {
  write_imagef(image, (int2)(ITEM % 4, ITEM / 4), (float4)(ITEM, 2 * ITEM, 0, 1));
}
)";

std::vector<float> pixels() {
  std::vector<float> values(4 * 3 * 4);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

TEST_F(OpenclFeatures, an_image_is_written_sampled_and_read) {
  const opencl::Image image(device, {.width = 4, .height = 3});
  EXPECT_EQ(image.shape().size_bytes(), pixels().size() * sizeof(float));
  const auto values = pixels();
  image.write(stream, std::as_bytes(std::span(values)));
  std::vector<float> back(values.size());
  image.read(stream, std::as_writable_bytes(std::span(back)));
  stream.synchronize();
  EXPECT_EQ(back, values);

  const Buffer out = device.allocate(4 * 4 * sizeof(float));
  build_module(device, kImages)
      .kernel("sample")
      .launch(stream, {.group_size = {4, 1, 1}}, {image.argument(), out, 1.5F});
  EXPECT_EQ(download<float>(stream, out, 16), (std::vector<float>(values.begin() + 16, values.begin() + 32)));
}

TEST_F(OpenclFeatures, kernels_paint_an_image) {
  const opencl::Image image(device, {.width = 4, .height = 3});
  build_module(device, kImages).kernel("paint").launch(stream, {.group_size = {12, 1, 1}}, {image.argument()});
  std::vector<float> back(48);
  image.read(stream, std::as_writable_bytes(std::span(back)));
  stream.synchronize();
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(back[4 * i], static_cast<float>(i));
    EXPECT_EQ(back[4 * i + 1], static_cast<float>(2 * i));
  }
}

TEST_F(OpenclFeatures, an_image_that_cannot_be_is_refused) {
  EXPECT_EQ(
      message_of<DeviceError>([&] { const opencl::Image image(device, {.width = 4, .height = 4, .channels = 3}); }),
      "an image with 3 channels; it may have 1, 2 or 4");
  const opencl::Image image(device, {.width = 4, .height = 3});
  std::vector<std::byte> few(5);
  EXPECT_EQ(message_of<DeviceError>([&] { image.read(stream, few); }), "Image::read: 5 bytes for an image of 192");
}

TEST_F(OpenclFeatures, recording_of_work_is_said_to_be_missing) {
  EXPECT_FALSE(Recording::is_possible(stream));
  EXPECT_NE(
      message_of<UnsupportedFeature>([&] { (void)Recording(stream, [] {}); }).find("OpenCL has no recording of work"),
      std::string::npos);
}

TEST_F(OpenclFeatures, a_commands_event_spans_it) {
  const Kernel spin = build_module(device, R"(
KERNEL void spin(GLOBAL double* x, int steps) {
  double y = x[0];
  for (int i = 0; i < steps; ++i) y = y * 0.999 + 1.0;
  x[0] = y;
})")
                          .kernel("spin");
  const Buffer x = device.allocate(sizeof(double));
  stream.fill_zero(x);
  const std::array<KernelArgument, 2> arguments{x, 1000000};
  const Event event = opencl::launch_with_event(spin, stream, {}, arguments);
  const opencl::CommandTimes times = opencl::times_of(event);
  EXPECT_GE(times.submitted, 0.0);
  EXPECT_GE(times.started, times.submitted);
  EXPECT_GT(times.ended - times.started, 1e-4) << "a million dependent steps take a cycle each at least";
  EXPECT_TRUE(event.is_done());
  EXPECT_NEAR(download<double>(stream, x, 1)[0], 1000.0, 1e-6);
}

TEST_F(OpenclFeatures, sub_groups_are_told_or_said_to_be_missing) {
  const Kernel kernel = build_module(device, "KERNEL void k(GLOBAL int* x) { x[ITEM] = 1; }").kernel("k");
  try {
    const opencl::SubGroups groups = opencl::sub_groups(kernel, {64, 1, 1});
    EXPECT_GE(groups.size * groups.count, 64U);
  } catch (const UnsupportedFeature& error) {
    EXPECT_EQ(std::string(error.what()),
              "OpenCL device '" + device.info().name + "' has no sub-groups; exchange values through shared memory");
  }
}

}  // namespace
}  // namespace maxwell_dg::core::test
