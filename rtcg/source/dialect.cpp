#include "rtcg/source/dialect.hpp"

namespace maxwell_dg::rtcg {

namespace {

// NVRTC brings the mathematical functions, overloaded for float and double; it has no INFINITY and NAN.
constexpr const char* cuda_preamble = R"(#define CUDA_DIALECT 1
#define KERNEL extern "C" __global__
#define GROUP_LIMIT(x, y, z) __launch_bounds__((x) * (y) * (z))
#define DEVICE_FUNCTION static __device__ __forceinline__ __attribute__((unused))
#define GLOBAL
#define CONSTANT static __constant__ const
#define SHARED __shared__
#define RESTRICT __restrict__
#define BARRIER() __syncthreads()
#define UNROLL _Pragma("unroll")
#define DIALECT_PRAGMA(text) _Pragma(#text)
#define UNROLL_BY(count) DIALECT_PRAGMA(unroll count)
typedef int int32;
typedef long long int64;
typedef unsigned int uint32;
typedef unsigned long long uint64;
typedef float float32;
typedef double float64;
typedef float2 float32x2;
typedef float4 float32x4;
typedef double2 float64x2;
#define DIALECT_PICK(v, d) ((int32)((d) == 0 ? v.x : (d) == 1 ? v.y : v.z))
#define GROUP_ID(d) DIALECT_PICK(blockIdx, d)
#define LOCAL_ID(d) DIALECT_PICK(threadIdx, d)
#define GROUP_SIZE(d) DIALECT_PICK(blockDim, d)
#define GROUP_COUNT(d) DIALECT_PICK(gridDim, d)
#define GLOBAL_ID(d) ((int64)GROUP_ID(d) * GROUP_SIZE(d) + LOCAL_ID(d))
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
)";

// Types of numbers are macros: drivers tell parameters by the names of their types, and check what a launch gives them
// where they know the name. Functions are inlined as on CUDA: clang leaves a long one a function, and vectors that it
// is given then go through memory.
constexpr const char* opencl_preamble = R"(#define OPENCL_DIALECT 1
#define KERNEL __kernel
#define GROUP_LIMIT(x, y, z) __attribute__((reqd_work_group_size(x, y, z)))
#define DEVICE_FUNCTION static inline __attribute__((always_inline))
#define GLOBAL __global
#define CONSTANT __constant const
#define SHARED __local
#define RESTRICT restrict
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define UNROLL _Pragma("unroll")
#define UNROLL_BY(count)
#define int32 int
#define int64 long
#define uint32 uint
#define uint64 ulong
#define float32 float
typedef float2 float32x2;
typedef float4 float32x4;
typedef float8 float32x8;
typedef float16 float32x16;
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define float64 double
typedef double2 float64x2;
typedef double4 float64x4;
typedef double8 float64x8;
#endif
#define GROUP_ID(d) ((int32)get_group_id(d))
#define LOCAL_ID(d) ((int32)get_local_id(d))
#define GROUP_SIZE(d) ((int32)get_local_size(d))
#define GROUP_COUNT(d) ((int32)get_num_groups(d))
#define GLOBAL_ID(d) ((int64)get_global_id(d))
)";

}  // namespace

std::string dialect_preamble(core::Backend backend) {
  return backend == core::Backend::cuda ? cuda_preamble : opencl_preamble;
}

}  // namespace maxwell_dg::rtcg
