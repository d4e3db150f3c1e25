#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "core/dtype.hpp"
#include "rtcg/compile/compiler.hpp"
#include "rtcg/tune/measure.hpp"

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

/// Measures them: seconds, and device memory of several times the last-level cache.
[[nodiscard]] Ceilings measure_ceilings(Compiler& compiler);
/// The same, asking `stop` before each of them; nothing when it says true.
[[nodiscard]] std::optional<Ceilings> measure_ceilings(Compiler& compiler, const std::function<bool()>& stop);

/// How one of them is measured.
struct CeilingWork {
  double Ceilings::*ceiling{};
  double amount{};  ///< GB that a call moves, or GFLOP that it computes
  Work work;        ///< holds the memory that it takes
};

/// What bounds work of this precision: the copy, and each unit that the device has for such arithmetic.
[[nodiscard]] std::vector<CeilingWork> ceiling_works(Compiler& compiler, Dtype precision);

/// Keeps them as a readable file in `wisdom_directory`, for this device with this driver and compiler. A file that
/// cannot be written is a warning.
void keep_ceilings(const core::Device& device, const Ceilings& ceilings, const std::filesystem::path& wisdom_directory);

/// What was kept. A file that cannot be read is a miss.
[[nodiscard]] std::optional<Ceilings> find_ceilings(const core::Device& device,
                                                    const std::filesystem::path& wisdom_directory);

/// What was kept, else measures and keeps it.
[[nodiscard]] Ceilings known_ceilings(Compiler& compiler, const std::filesystem::path& wisdom_directory);

}  // namespace maxwell_dg::rtcg
