// The dialect's CUDA side, compiled for every architecture that this NVRTC knows; no GPU is needed.
#include "core/cuda/nvrtc.hpp"

#include <cmath>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "rtcg/compile/diagnosis.hpp"
#include "rtcg/source/dialect.hpp"
#include "rtcg/source/literal.hpp"
#include "rtcg/tune/ceiling_kernels.hpp"
#include "tests/unit/rtcg/dialect_kernels.hpp"

namespace maxwell_dg::rtcg {
namespace {

class NvrtcTest : public testing::Test {
 protected:
  void SetUp() override {
    if (core::cuda::supported_architectures().empty()) GTEST_SKIP() << "needs NVRTC (a CUDA toolkit)";
  }
  static core::BuildResult compiled(const std::string& text, const std::string& architecture) {
    core::BuildRequest request{.name = "a.kernel", .text = {}, .headers = {}, .options = {}};
    request.text = dialect_preamble(core::Backend::cuda) + "#line 1 \"a.kernel\"\n" + text;
    return core::cuda::compile(request, architecture);
  }
  static void expect_compiles(const std::string& text, const std::string& architecture) {
    const core::BuildResult result = compiled(text, architecture);
    EXPECT_TRUE(result.ok) << architecture << "\n" << text << "\n" << result.log;
    EXPECT_FALSE(result.binary.empty());
    EXPECT_EQ(result.log.find("warning"), std::string::npos) << result.log;
  }
  static int number_of(const std::string& architecture) { return std::atoi(architecture.c_str() + 3); }
};

TEST_F(NvrtcTest, the_whole_dialect_compiles_for_every_architecture) {
  for (const std::string& architecture : core::cuda::supported_architectures()) {
    expect_compiles(whole_dialect_text(), architecture);
  }
}

TEST_F(NvrtcTest, functions_and_literals_of_both_precisions_compile) {
  for (const Dtype dtype : {Dtype::float32, Dtype::float64}) {
    expect_compiles(functions_text(dtype), "sm_90");
    expect_compiles("KERNEL void f(GLOBAL " + std::string(name_of(dtype)) +
                        "* a) { a[0] = " + literal(-HUGE_VAL, dtype) + "; a[1] = " + literal(std::nan(""), dtype) +
                        "; a[2] = " + literal(-0.1, dtype) + "; }",
                    "sm_90");
  }
}

TEST_F(NvrtcTest, ceiling_kernels_compile_for_every_architecture) {
  for (const std::string& architecture : core::cuda::supported_architectures()) {
    expect_compiles(copy_kernel(4, 1), architecture);
    for (const Dtype dtype : {Dtype::float32, Dtype::float64}) expect_compiles(fma_kernel(dtype, 1, 256), architecture);
    for (const TensorInstruction& instruction : tensor_instructions(number_of(architecture))) {
      expect_compiles(tensor_kernel(instruction, 128), architecture);
    }
  }
}

TEST_F(NvrtcTest, an_error_is_placed_in_the_kernels_own_lines) {
  const core::BuildResult result = compiled("KERNEL void f(GLOBAL int32* a) {\n  a[0] = unknown_name;\n}\n", "sm_90");
  EXPECT_FALSE(result.ok);
  const auto error = first_error(result.log);
  ASSERT_TRUE(error) << result.log;
  EXPECT_EQ(error->file, "a.kernel");
  EXPECT_EQ(error->line, 2);
  EXPECT_NE(error->message.find("unknown_name"), std::string::npos);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
