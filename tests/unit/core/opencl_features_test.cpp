#include <algorithm>
#include <array>
#include <numeric>

#include "core/device/recording.hpp"
#include "core/opencl/image.hpp"
#include "core/opencl/profiling.hpp"
#include "core/opencl/program_parts.hpp"
#include "core/opencl/sub_devices.hpp"
#include "core/opencl/sub_groups.hpp"
#include "core/opencl/user_event.hpp"
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

TEST_F(OpenclFeatures, a_stream_stands_still_until_the_program_completes_an_event) {
  const Buffer x = device.allocate(4 * sizeof(int));
  stream.fill(x, 1);
  stream.synchronize();
  opencl::UserEvent start(device);
  stream.wait(start.event());
  stream.fill(x, 2);
  const Event end = stream.record();
  const Stream other = device.create_stream();
  EXPECT_EQ(download<int>(other, x, 4), std::vector<int>(4, 1)) << "the second fill waits";
  EXPECT_FALSE(end.is_done());
  EXPECT_FALSE(start.event().is_done());
  start.complete();
  start.complete();
  stream.synchronize();
  EXPECT_EQ(download<int>(stream, x, 4), std::vector<int>(4, 2));
  {
    const opencl::UserEvent forgotten(device);
    stream.wait(forgotten.event());
  }
  stream.synchronize();
}

TEST_F(OpenclFeatures, a_device_is_divided_into_parts_that_compute) {
  if (device.info().compute_units < 2) GTEST_SKIP() << "needs a device of two compute units";
  std::vector<Device> parts;
  try {
    parts = opencl::sub_devices(device, std::array{1, 1});
  } catch (const UnsupportedFeature& error) {
    GTEST_SKIP() << error.what();
  }
  ASSERT_EQ(parts.size(), 2U);
  device = {};
  for (const Device& part : parts) {
    EXPECT_EQ(part.info().compute_units, 1);
    const Stream its = part.create_stream();
    const Buffer x = part.allocate(4 * sizeof(int));
    build_module(part, "KERNEL void number(GLOBAL int* x) { x[ITEM] = ITEM; }")
        .kernel("number")
        .launch(its, {.group_size = {4, 1, 1}}, {x});
    EXPECT_EQ(download<int>(its, x, 4), (std::vector{0, 1, 2, 3}));
  }
}

TEST_F(OpenclFeatures, parts_that_a_device_has_not_are_refused) {
  const int units = device.info().compute_units;
  EXPECT_TRUE(opencl::sub_devices(device, {}).empty());
  EXPECT_NE(message_of<DeviceError>([&] {
              (void)opencl::sub_devices(device, std::array{units, 1});
            }).find("which has " + std::to_string(units)),
            std::string::npos);
  EXPECT_THROW((void)opencl::sub_devices(device, std::array{0}), DeviceError);
}

TEST_F(OpenclFeatures, units_are_linked_and_a_missing_one_is_told) {
  const std::vector<BuildRequest> units{
      request(device, "int twice(int x);\nKERNEL void number(GLOBAL int* x) { x[ITEM] = twice(ITEM); }"),
      request(device, "int twice(int x) { return 2 * x; }")};
  const BuildResult linked = opencl::link(device, units);
  ASSERT_TRUE(linked.ok) << linked.log;
  const Buffer x = device.allocate(4 * sizeof(int));
  const Kernel kernel = device.load(linked.binary, "linked").kernel("number");
  kernel.launch(stream, {.group_size = {4, 1, 1}}, {x});
  EXPECT_EQ(download<int>(stream, x, 4), (std::vector{0, 2, 4, 6}));
  EXPECT_THROW(kernel.launch(stream, {.group_size = {4, 1, 1}}, {3}), DeviceError);

  const std::vector<BuildRequest> wrong{units[0], request(device, "int twice(int x) { return y; }")};
  const BuildResult failed = opencl::link(device, wrong);
  EXPECT_FALSE(failed.ok);
  EXPECT_NE(failed.log.find("undeclared identifier 'y'"), std::string::npos) << failed.log;
}

TEST_F(OpenclFeatures, spirv_is_built_or_said_to_be_missing) {
  // A module of OpenCL's memory model that has nothing in it: header, capabilities Addresses, Linkage and Kernel,
  // model.
  constexpr std::array<std::uint32_t, 14> nothing{0x07230203, 0x00010000, 0,          1, 0,          0x00020011, 4,
                                                  0x00020011, 5,          0x00020011, 6, 0x0003000E, 2,          2};
  try {
    EXPECT_TRUE(opencl::build_spirv(device, std::as_bytes(std::span(nothing)), "nothing.spv").ok);
  } catch (const UnsupportedFeature& error) {
    EXPECT_EQ(std::string(error.what()), "OpenCL device '" + device.info().name +
                                             "' takes no SPIR-V (its CL_DEVICE_IL_VERSION is empty); build "
                                             "'nothing.spv' from OpenCL C");
  }
}

}  // namespace
}  // namespace maxwell_dg::core::test
