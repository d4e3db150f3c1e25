#include "rtcg/tune/launch_capture.hpp"

#include <complex>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "tests/unit/rtcg/device_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

class LaunchCaptureTest : public DeviceTest {
 protected:
  // y += a x, the constant added comes from a header.
  static KernelSource source() {
    return {.name = "update.kernel",
            .text =
                "#include \"plus.h\"\n"
                "KERNEL void update(GLOBAL float32* y, GLOBAL const float32* x, float32 a, int64 n) {\n"
                "  const int64 i = GLOBAL_ID(0);\n"
                "  if (i < n) y[i] = y[i] + a * x[i] + PLUS;\n"
                "}\n",
            .headers = {{"plus.h", "#define PLUS 100.0f\n"}}};
  }
  static constexpr core::LaunchShape shape{.groups = {3, 1, 1}, .group_size = {2, 1, 1}};

  [[nodiscard]] LaunchCapture captured(const core::Buffer& y, const core::Buffer& x) const {
    const std::vector<core::KernelArgument> arguments{y, x, 2.0f, std::int64_t{5}};
    return LaunchCapture::take(stream_, source(), "update", shape, arguments);
  }
  static std::vector<float> floats(const std::vector<std::byte>& bytes) {
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  const std::vector<float> y_{1, 2, 3, 4, 5, 6};
  const std::vector<float> x_{1, 1, 1, 1, 2, 2};
  const std::vector<float> result_{103, 104, 105, 106, 109, 6};
};

TEST_F(LaunchCaptureTest, a_replay_from_a_file_does_what_the_launch_did) {
  const core::Buffer y = upload(y_);
  captured(y, upload(x_)).write(root_ / "launch");
  Compiler c = compiler();
  const Replay replay(c, LaunchCapture::read(root_ / "launch"));
  for (int round = 0; round < 2; ++round) {
    replay.restore(stream_);
    replay.launch(stream_);
    EXPECT_EQ(floats(replay.content(stream_, 0)), result_);
    EXPECT_EQ(floats(replay.content(stream_, 1)), x_);
  }
  EXPECT_EQ(download<float>(y), y_);  // taking launches nothing
}

TEST_F(LaunchCaptureTest, another_text_runs_on_the_same_arguments) {
  const LaunchCapture capture = captured(upload(y_), upload(x_));
  KernelSource other = source();
  other.headers[0].second = "#define PLUS 0.0f\n";
  Compiler c = compiler();
  const Replay replay(c, capture, other);
  replay.launch(stream_);
  EXPECT_EQ(floats(replay.content(stream_, 0)), (std::vector<float>{3, 4, 5, 6, 9, 6}));
}

TEST_F(LaunchCaptureTest, a_buffer_given_twice_stays_one) {
  const core::Buffer y = upload(y_);
  const LaunchCapture capture = captured(y, y);
  EXPECT_EQ(capture.contents.size(), 1u);
  Compiler c = compiler();
  const Replay replay(c, capture);
  replay.launch(stream_);
  EXPECT_EQ(floats(replay.content(stream_, 0)), (std::vector<float>{103, 106, 109, 112, 115, 6}));
}

TEST_F(LaunchCaptureTest, arguments_of_every_type_survive) {
  struct Pair {
    int a;
    float b;
  };
  const std::vector<core::KernelArgument> arguments{
      core::Buffer(),         true, std::int8_t{-1},           std::uint16_t{7},
      std::uint64_t{1} << 63, 0.1,  std::complex<float>(1, 2), core::StructArgument(Pair{3, 4.5f})};
  LaunchCapture::take(stream_, source(), "update", shape, arguments).write(root_ / "launch");
  const LaunchCapture capture = LaunchCapture::read(root_ / "launch");
  ASSERT_EQ(capture.arguments.size(), arguments.size());
  Compiler c = compiler();
  const Replay replay(c, capture);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    ASSERT_EQ(replay.arguments()[i].index(), arguments[i].index());
    EXPECT_EQ(core::describe(replay.arguments()[i]), core::describe(arguments[i]));
  }
  EXPECT_EQ(std::get<double>(replay.arguments()[5]), 0.1);
  EXPECT_EQ(std::get<std::complex<float>>(replay.arguments()[6]), std::complex<float>(1, 2));
}

TEST_F(LaunchCaptureTest, a_truncated_or_foreign_file_is_an_error) {
  captured(upload(y_), upload(x_)).write(root_ / "launch");
  std::ifstream file(root_ / "launch", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  const auto error_of = [&](const std::string& content) -> std::string {
    std::ofstream(root_ / "bad", std::ios::binary) << content;
    try {
      (void)LaunchCapture::read(root_ / "bad");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of(whole), "no error");
  EXPECT_NE(error_of(whole.substr(0, whole.size() - 1)).find("is truncated or damaged"), std::string::npos);
  EXPECT_NE(error_of(whole.substr(0, 50)).find("is no captured launch"), std::string::npos);
  EXPECT_NE(error_of("something else").find("is no captured launch"), std::string::npos);
  EXPECT_THROW((void)LaunchCapture::read(root_ / "missing"), ConfigError);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
