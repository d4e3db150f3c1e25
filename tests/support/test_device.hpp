#pragma once

#include <cstdlib>
#include <string>

#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::testing {

/// The device that tests run on: $MAXWELL_DG_DEVICE, else `auto`.
[[nodiscard]] inline core::Device test_device() {
  const char* spec = std::getenv("MAXWELL_DG_DEVICE");
  return core::Device::open(spec ? spec : "auto");
}

/// One compiler a process.
[[nodiscard]] inline rtcg::Compiler& test_compiler() {
  static rtcg::Compiler compiler(test_device());
  return compiler;
}

/// For a kernel of this schedule. On a CPU, kernels that are shaped for GPUs are not optimized: that takes most of the
/// time of such a test, and no CPU takes these kernels but in tests.
[[nodiscard]] inline rtcg::Compiler& test_compiler_for(const std::string& schedule) {
  const bool is_for_gpus =
      schedule.starts_with("nodes") || schedule.starts_with("tiles") || schedule.starts_with("elements");
  if (!is_for_gpus || !test_compiler().device().info().is_cpu) return test_compiler();
  static rtcg::Compiler compiler(test_compiler().device(), {.options = {"-cl-opt-disable"}});
  return compiler;
}

}  // namespace maxwell_dg::testing
