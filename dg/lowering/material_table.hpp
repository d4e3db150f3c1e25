#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dg/lowering/lowering.hpp"

namespace maxwell_dg::dg {

/// The different materials of a problem: elements whose parameters have the same bits share their constants.
struct MaterialTable {
  std::vector<std::int32_t> material;          ///< [element] an index into `constants`
  std::vector<std::vector<double>> constants;  ///< [material][constant] of LoweredSystem::constants

  /// [constant]
  [[nodiscard]] const std::vector<double>& of_element(std::size_t k) const {
    return constants[static_cast<std::size_t>(material[k])];
  }
  /// `parameters`: [parameter][element], of K elements.
  [[nodiscard]] static MaterialTable make(const LoweredSystem& lowered,
                                          const std::vector<std::vector<double>>& parameters, std::size_t K);
};

}  // namespace maxwell_dg::dg
