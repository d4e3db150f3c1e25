#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/dtype.hpp"

/// The texts that measure_ceilings runs, in the kernel dialect.
namespace maxwell_dg::rtcg {

/// `copy(to, from)`, STREAM's copy: every work-item moves `run` vectors of float32 in a row.
[[nodiscard]] std::string copy_kernel(std::size_t lanes, std::size_t run);

/// `chains(out, factor, term, rounds)`: a = a factor + term on fma_chains independent vectors held in registers. Enough
/// to cover the latency of two pipes, few enough not to spill.
inline constexpr int fma_chains = 12;
[[nodiscard]] std::string fma_kernel(Dtype dtype, std::size_t lanes, std::size_t group_size);

/// One tensor-core instruction of PTX; a, b, c are the registers a lane holds of each matrix.
struct TensorInstruction {
  std::string name;
  Dtype accumulator{};
  Dtype operand{};  ///< uint32 for TF32, whose bits travel in integer registers
  int a{}, b{}, c{};
  double operations{};  ///< 2 m n k
};
/// The TF32 and the double instruction of an architecture, 90 for sm_90; empty for one without.
[[nodiscard]] std::vector<TensorInstruction> tensor_instructions(int architecture);

/// `tensor(out, rounds)`, CUDA only: C += A B on tensor_chains independent accumulators of each warp.
inline constexpr int tensor_chains = 8;
[[nodiscard]] std::string tensor_kernel(const TensorInstruction& mma, std::size_t group_size);

}  // namespace maxwell_dg::rtcg
