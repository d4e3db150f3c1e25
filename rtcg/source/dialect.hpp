#pragma once

#include <string>

#include "core/device/device.hpp"

namespace maxwell_dg::rtcg {

/// The preamble that makes one kernel text mean CUDA C++ under NVRTC and OpenCL C elsewhere:
///
///   KERNEL void GROUP_LIMIT(x, y, z) name(GLOBAL const float32* RESTRICT a, int32 n) { ... }
///
/// - KERNEL; GROUP_LIMIT(x, y, z): the work-group's size, known to the compiler (may be left out);
///   DEVICE_FUNCTION before a function that kernels call
/// - GLOBAL, RESTRICT for pointers; `CONSTANT float64 table[2] = {1.0, 2.0};` at file scope
///   (const is implied); SHARED for arrays at the top of a kernel
/// - BARRIER(): all work-items of the group arrive, and see each other's writes to shared and global memory
/// - UNROLL before a loop of constant length; UNROLL_BY(count) before any, a hint that OpenCL does not take
/// - GROUP_ID(d), LOCAL_ID(d), GROUP_SIZE(d), GROUP_COUNT(d): int32; GLOBAL_ID(d): int64, d = 0, 1, 2
/// - int32, int64, uint32, uint64, float32, float64; for memory traffic float32x2, float32x4, float64x2;
///   on OpenCL also the wide vectors with arithmetic, float32x8, float32x16, float64x4, float64x8
/// - INFINITY and NAN (float32)
/// - functions that take float32 and float64 alike, all arguments of one type: sin cos tan asin acos atan atan2 sinh
///   cosh tanh exp log pow sqrt rsqrt fabs floor ceil fma fmin fmax; min, max, abs for integers. `fmin`, not `min`, for
///   reals; literals carry their type (see literal()), because OpenCL calls `pow(x, 2)` ambiguous.
///
/// Names that OpenCL C has taken: kernel, global, local, constant, private. A file-scope function or table is not seen
/// outside its text.
///
/// CUDA_DIALECT or OPENCL_DIALECT is defined to 1, for the rare text that must know.
/// `real` and anything else specific to one kernel is declared by that kernel's own generated prologue.
[[nodiscard]] std::string dialect_preamble(core::Backend backend);

}  // namespace maxwell_dg::rtcg
