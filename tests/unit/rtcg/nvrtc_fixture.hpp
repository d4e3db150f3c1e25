#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/cuda/nvrtc.hpp"
#include "rtcg/compile/compiler.hpp"
#include "rtcg/source/dialect.hpp"

namespace maxwell_dg::rtcg {

/// Kernels as NVRTC reads them; no GPU is needed.
class NvrtcFixture : public testing::Test {
 protected:
  void SetUp() override {
    architectures_ = core::cuda::supported_architectures();
    if (architectures_.empty()) GTEST_SKIP() << "needs NVRTC (a CUDA toolkit)";
  }

  static core::BuildResult compiled(const KernelSource& source, const std::string& architecture) {
    const std::string before = dialect_preamble(core::Backend::cuda) + "#line 1 \"" + source.name + "\"\n";
    return core::cuda::compile({.name = source.name, .text = before + source.text, .headers = source.headers},
                               architecture);
  }
  /// Without a warning.
  static void expect_compiles(const KernelSource& source, const std::string& architecture) {
    const core::BuildResult result = compiled(source, architecture);
    EXPECT_TRUE(result.ok) << architecture << "\n" << result.log << source.text;
    EXPECT_FALSE(result.binary.empty());
    EXPECT_EQ(result.log.find("warning"), std::string::npos) << result.log << source.text;
  }
  static void expect_compiles(const std::string& text, const std::string& architecture) {
    expect_compiles(KernelSource{.name = "a.kernel", .text = text}, architecture);
  }
  /// For the oldest and the newest architecture that this NVRTC knows; for the oldest as PTX, which takes a third of
  /// the time.
  void expect_compiles(const KernelSource& source) const {
    expect_compiles(source, virtual_of(architectures_.front()));
    expect_compiles(source, architectures_.back());
  }
  static std::string virtual_of(const std::string& architecture) { return "compute_" + architecture.substr(3); }

  std::vector<std::string> architectures_;  ///< "sm_75" ..., the oldest first
};

}  // namespace maxwell_dg::rtcg
