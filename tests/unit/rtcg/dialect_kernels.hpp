#pragma once

#include <string>

#include "core/dtype.hpp"

/// One kernel text that uses the whole dialect, to be run on OpenCL and compiled for CUDA.
namespace maxwell_dg::rtcg {

inline std::string whole_dialect_text() {
  return R"(
CONSTANT float32 table[3] = {1.0f, 2.0f, 4.0f};

DEVICE_FUNCTION int32 twice(int32 a) { return 2 * a; }

// out[group] = sum over the group of table[local % 3] * in, through shared memory
KERNEL void GROUP_LIMIT(8, 1, 1) group_sums(GLOBAL float32* RESTRICT out, GLOBAL const float32* RESTRICT in, int32 n) {
  SHARED float32 staged[8];
  const int32 lane = LOCAL_ID(0);
  const int64 item = GLOBAL_ID(0);
  staged[lane] = item < n ? table[lane % 3] * in[item] : 0.0f;
  BARRIER();
  if (lane == 0) {
    float32 sum = 0.0f;
    UNROLL
    for (int32 i = 0; i < 8; ++i) sum += staged[i];
    out[GROUP_ID(0)] = sum;
  }
}

// ids[item] of a 3D launch: every index macro once, packed so that the host can check each
KERNEL void indices(GLOBAL int64* ids) {
  const int64 item = GLOBAL_ID(0) + GLOBAL_ID(1) * GROUP_COUNT(0) * GROUP_SIZE(0) +
                     GLOBAL_ID(2) * GROUP_COUNT(0) * GROUP_SIZE(0) * GROUP_COUNT(1) * GROUP_SIZE(1);
  const int32 of_group = GROUP_ID(0) + 10 * GROUP_ID(1) + 100 * GROUP_ID(2);
  const int32 of_item = LOCAL_ID(0) + 10 * LOCAL_ID(1) + 100 * LOCAL_ID(2);
  const int32 size = GROUP_SIZE(0) + 10 * GROUP_SIZE(1) + 100 * GROUP_SIZE(2);
  ids[item] = (int64)of_group * 1000000 + of_item * 1000 + size + twice(0);
}

KERNEL void widths(GLOBAL int32* bytes) {
  bytes[0] = sizeof(int32); bytes[1] = sizeof(int64); bytes[2] = sizeof(uint32); bytes[3] = sizeof(uint64);
  bytes[4] = sizeof(float32); bytes[5] = sizeof(float64);
  bytes[6] = sizeof(float32x2); bytes[7] = sizeof(float32x4); bytes[8] = sizeof(float64x2);
  bytes[9] = (int32)(uint32)-1 < 0; bytes[10] = (int64)-1 < 0; bytes[11] = (uint64)-1 > 0;
}

KERNEL void copy_vectors(GLOBAL float32x4* a, GLOBAL const float32x4* b) { a[GLOBAL_ID(0)] = b[GLOBAL_ID(0)]; }
)";
}

/// out[0..21] = every function at a few arguments, in the type `real`.
inline std::string functions_text(Dtype dtype) {
  return "typedef " + std::string(name_of(dtype)) + R"( real;
KERNEL void functions(GLOBAL real* out, real a, real b, real c) {
  out[0] = sin(a); out[1] = cos(a); out[2] = tan(a); out[3] = asin(a); out[4] = acos(a); out[5] = atan(a);
  out[6] = atan2(a, b); out[7] = sinh(a); out[8] = cosh(a); out[9] = tanh(a); out[10] = exp(a); out[11] = log(b);
  out[12] = pow(b, a); out[13] = sqrt(b); out[14] = rsqrt(b); out[15] = fabs(c); out[16] = floor(c);
  out[17] = ceil(c); out[18] = fma(a, b, c); out[19] = fmin(a, c); out[20] = fmax(a, c);
  out[21] = min(3, 4) + 10 * max(3, 4) + 100 * abs(-5);
}
)";
}

}  // namespace maxwell_dg::rtcg
