#pragma once

#include <cstdlib>

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

}  // namespace maxwell_dg::testing
