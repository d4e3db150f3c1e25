#pragma once

#include <filesystem>

#include "core/dtype.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::rtcg {

/// What a device was seen to do at best, in GB/s and GFLOP/s; 0 where it has no such unit.
struct Ceilings {
  double copy_gb_s{};  ///< bytes read plus bytes written, buffers several times the last-level cache
  double fma_gflops_single{};
  double fma_gflops_double{};
  double tensor_gflops_tf32{};    ///< mma.sync m16n8k8, from architecture sm_80
  double tensor_gflops_double{};  ///< mma.sync m16n8k16 from sm_90; m8n8k4 on sm_80 to sm_89

  /// The best rate for arithmetic of this precision. Three TF32 products make one of single precision.
  [[nodiscard]] double best_gflops(Dtype precision) const;
};

/// Measures them; takes about a second once the kernels are compiled.
[[nodiscard]] Ceilings measure_ceilings(Compiler& compiler);

/// What an earlier `known_ceilings` measured on this device with this driver and compiler, kept as a readable file in
/// `wisdom_directory`; else measures and keeps it. A file that cannot be read is a miss; one that cannot be written is
/// a warning.
[[nodiscard]] Ceilings known_ceilings(Compiler& compiler, const std::filesystem::path& wisdom_directory);

}  // namespace maxwell_dg::rtcg
