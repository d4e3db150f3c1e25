#pragma once

#include <string>

#include "core/device/device.hpp"
#include "core/dtype.hpp"

namespace maxwell_dg::rtcg {

/// The preamble that makes one kernel text mean CUDA C++ under NVRTC and OpenCL C elsewhere:
///
///   KERNEL, GLOBAL, CONSTANT, SHARED, DEVICE_FUNCTION, RESTRICT, BARRIER(), UNROLL (before a loop),
///   GROUP_ID(d), LOCAL_ID(d), GROUP_SIZE(d), GLOBAL_ID(d), GROUP_LIMIT(n) (launch bound, after KERNEL void),
///   the fixed-width types int32, int64, uint32, uint64, float32, float64, and vectors float32x4 ... where used.
///
/// `real` and anything else specific to one kernel is declared by that kernel's own generated prologue.
[[nodiscard]] std::string dialect_preamble(core::Backend backend);

}  // namespace maxwell_dg::rtcg
