#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/device/trace.hpp"
#include "tests/unit/core/device_test_support.hpp"

namespace maxwell_dg::core::test {
namespace {

namespace fs = std::filesystem;

class DeviceTrace : public EveryDevice {
 protected:
  void TearDown() override {
    stop_trace();
    fs::remove(file);
  }

  void work() const {
    const Kernel twice = build_module(device, "KERNEL void twice(GLOBAL int* x) { x[ITEM] *= 2; }").kernel("twice");
    const Stream stream = device.create_stream();
    const Buffer x = device.allocate(64 * sizeof(int));
    stream.fill(x, 3);
    const ProfilerRange range("my \"range\"");
    twice.launch(stream, {.group_size = {64, 1, 1}}, {x});
    EXPECT_EQ(download<int>(stream, x, 64), std::vector<int>(64, 6));
  }
  [[nodiscard]] nlohmann::json events() const {
    std::ifstream stream(file);
    return nlohmann::json::parse(stream);
  }
  [[nodiscard]] std::string launch_call() const {
    return device.info().backend == Backend::cuda ? "cuLaunchKernelEx" : "clEnqueueNDRangeKernel";
  }

  const fs::path file = fs::path(testing::TempDir()) / ("trace_" + std::to_string(getpid()) + ".json");
};
MAXWELL_DG_ON_EVERY_DEVICE(DeviceTrace);

TEST_P(DeviceTrace, a_timeline_holds_calls_ranges_and_kernels_in_order) {
  const double begin = trace::now();
  start_trace_timeline(file);
  work();
  stop_trace();
  const nlohmann::json all = events();
  const auto named = [&](const std::string& name) {
    const auto found = std::ranges::find_if(all, [&](const auto& e) { return e["name"] == name && e["ph"] == "X"; });
    EXPECT_NE(found, all.end()) << name;
    return found == all.end() ? nlohmann::json() : *found;
  };
  EXPECT_NEAR(all[0]["args"]["begin"].get<double>(), begin, 1e6) << "microseconds of the host's clock";
  const auto call = named(launch_call());
  const auto range = named("my \"range\"");
  const auto kernel = named("twice");
  ASSERT_TRUE(call.is_object() && range.is_object() && kernel.is_object());
  EXPECT_NE(call["pid"], kernel["pid"]) << "host and device are two processes of the timeline";
  EXPECT_GE(kernel["dur"].get<double>(), 0.0);
  EXPECT_GE(call["ts"].get<double>(), range["ts"].get<double>());
  EXPECT_LE(call["ts"].get<double>() + call["dur"].get<double>(),
            range["ts"].get<double>() + range["dur"].get<double>());
  EXPECT_FALSE(call["args"]["arguments"].get<std::string>().empty());
  EXPECT_TRUE(call["args"]["result"] == "CUDA_SUCCESS" || call["args"]["result"] == "CL_SUCCESS");
}

TEST_P(DeviceTrace, lines_name_the_call_its_arguments_and_its_result) {
  testing::internal::CaptureStderr();
  start_trace_lines();
  work();
  stop_trace();
  const std::string lines = testing::internal::GetCapturedStderr();
  EXPECT_NE(lines.find(", thread "), std::string::npos);
  EXPECT_NE(lines.find(": " + launch_call() + "(0x"), std::string::npos) << lines;
  EXPECT_NE(lines.find("_SUCCESS, "), std::string::npos);
}

TEST_P(DeviceTrace, nothing_is_written_when_it_is_off) {
  start_trace_timeline(file);
  stop_trace();
  const auto before = events().size();
  testing::internal::CaptureStderr();
  work();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(events().size(), before);
}

TEST_P(DeviceTrace, the_environment_switches_it_on) {
  const std::string command = "MAXWELL_DG_TRACE='" + file.string() + "' '" +
                              fs::read_symlink("/proc/self/exe").string() +
                              "' --gtest_filter='DeviceContext.a_suggested_group_size*' >/dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const nlohmann::json all = events();  // whole, though nobody called stop_trace
  EXPECT_TRUE(std::ranges::any_of(all, [&](const auto& e) { return e["name"] == launch_call(); }));
}

TEST(Trace, a_file_that_cannot_be_written_is_an_output_error) {
  EXPECT_EQ(message_of<OutputError>([] { start_trace_timeline("/missing_directory/trace.json"); }),
            "/missing_directory/trace.json: cannot write the trace: No such file or directory");
  EXPECT_FALSE(trace::is_active());
}

}  // namespace
}  // namespace maxwell_dg::core::test
