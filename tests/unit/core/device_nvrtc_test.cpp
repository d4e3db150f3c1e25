#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <dlfcn.h>

#include "core/cuda/nvrtc.hpp"
#include "core/log.hpp"
#include "tests/unit/core/device_test_support.hpp"

/// NVRTC needs no GPU, so that CUDA text is compiled for every architecture wherever the toolkit is.
namespace maxwell_dg::core::test {
namespace {

constexpr const char* kText = R"(
#include "scale.h"
extern "C" __global__ void scale(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= SCALE;
}
)";

BuildRequest scale_request() {
  return {.name = "scale.kernel", .text = kText, .headers = {{"scale.h", "#define SCALE 2.0f\n"}}, .options = {}};
}

std::string_view text_of(const BuildResult& result) {
  return {reinterpret_cast<const char*>(result.binary.data()), result.binary.size()};
}

class NvrtcTest : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda::supported_architectures().empty()) GTEST_SKIP() << "no NVRTC on this machine";
  }
};

TEST_F(NvrtcTest, its_builtins_are_loaded_before_it_looks_for_them) {
  // In a process of its own, where nothing was compiled yet. NVRTC itself would search the loader's folders alone.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto they_are_loaded = [] {
    const std::string file = "libnvrtc-builtins.so." + cuda::nvrtc_fingerprint().front().substr(std::strlen("NVRTC "));
    return dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr;
  };
  EXPECT_EXIT(std::exit(they_are_loaded() ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST_F(NvrtcTest, every_architecture_it_knows_gets_a_cubin) {
  for (const std::string& architecture : cuda::supported_architectures()) {
    const BuildResult result = cuda::compile(scale_request(), architecture);
    EXPECT_TRUE(result.ok) << architecture << ": " << result.log;
    EXPECT_TRUE(
        text_of(result).starts_with("\x7f"
                                    "ELF"))
        << architecture;
  }
}

TEST_F(NvrtcTest, an_architecture_newer_than_the_compiler_gets_ptx_and_one_warning) {
  const WarningCollector warnings;
  const BuildResult result = cuda::compile(scale_request(), "sm_999");
  (void)cuda::compile(scale_request(), "sm_999");
  ASSERT_TRUE(result.ok) << result.log;
  EXPECT_NE(text_of(result).find(".entry scale"), std::string_view::npos);
  EXPECT_EQ(text_of(result).back(), '\0');
  const std::string newest = cuda::supported_architectures().back().substr(3);
  EXPECT_NE(result.log.find("does not know sm_999 yet: compiled to PTX for compute_" + newest), std::string::npos)
      << result.log;
  ASSERT_EQ(warnings.warnings().size(), 1U);
  EXPECT_NE(warnings.warnings().front().find("sm_999"), std::string::npos);
}

TEST_F(NvrtcTest, an_architecture_that_was_dropped_is_an_error) {
  const std::string message = message_of<DeviceError>([] { (void)cuda::compile(scale_request(), "sm_20"); });
  EXPECT_NE(message.find("no longer compiles for sm_20"), std::string::npos) << message;
  EXPECT_NE(message.find("install an older CUDA toolkit"), std::string::npos) << message;
}

TEST_F(NvrtcTest, a_word_that_is_no_architecture_is_an_error) {
  EXPECT_EQ(message_of<DeviceError>([] { (void)cuda::compile(scale_request(), "hopper"); }),
            "'hopper' is no CUDA architecture; it looks like sm_90");
}

TEST_F(NvrtcTest, an_architecture_among_the_options_wins) {
  BuildRequest request = scale_request();
  request.text += "\n#if __CUDA_ARCH__ != 900\n#error other architecture\n#endif\n";
  request.options = {"--gpu-architecture=sm_90a"};
  const BuildResult result = cuda::compile(request, cuda::supported_architectures().front());
  EXPECT_TRUE(result.ok) << result.log;
}

TEST_F(NvrtcTest, the_language_is_cpp17_unless_the_options_say_otherwise) {
  BuildRequest request = scale_request();
  request.text += "\nstatic_assert(__cplusplus == 201703L);\n";
  EXPECT_TRUE(cuda::compile(request, "sm_90").ok);
  request.options = {"--std=c++20"};
  EXPECT_FALSE(cuda::compile(request, "sm_90").ok);
}

TEST_F(NvrtcTest, an_error_names_the_file_and_line) {
  BuildRequest request = scale_request();
  request.text += "nonsense;\n";
  const BuildResult result = cuda::compile(request, "sm_90");
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.log.find("scale.kernel(7)"), std::string::npos) << result.log;
}

TEST_F(NvrtcTest, fingerprint_has_version_and_build) {
  const auto fields = cuda::nvrtc_fingerprint();
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_TRUE(fields[0].starts_with("NVRTC 1")) << fields[0];
  EXPECT_GE(fields[1].size(), 8U) << fields[1];
}

}  // namespace
}  // namespace maxwell_dg::core::test
