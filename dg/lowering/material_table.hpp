#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/device/device.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/schedule/state_layout.hpp"

namespace maxwell_dg::dg {

/// The different materials of a problem: elements whose parameters have the same bits share their constants.
struct MaterialTable {
  std::vector<std::int32_t> material;          ///< [element] an index into `constants`
  std::vector<std::vector<double>> constants;  ///< [material][constant] of LoweredSystem::constants

  /// `parameters`: [parameter][element], of K elements.
  [[nodiscard]] static MaterialTable make(const LoweredSystem& lowered,
                                          const std::vector<std::vector<double>>& parameters, std::size_t K);
};

}  // namespace maxwell_dg::dg
