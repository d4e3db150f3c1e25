#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/device/device.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/schedule/state_layout.hpp"

namespace maxwell_dg::dg {

/// The different materials of a problem: elements with the same parameters share their constants.
struct MaterialTable {
  std::vector<std::int32_t> material;          ///< [element] a row of `constants`
  std::vector<std::vector<double>> constants;  ///< [material][constant] of LoweredSystem::constants

  [[nodiscard]] static MaterialTable make(const LoweredSystem& lowered,
                                          const std::vector<std::vector<double>>& parameters, std::size_t K);
};

}  // namespace maxwell_dg::dg
