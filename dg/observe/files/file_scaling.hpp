#pragma once

#include <cstddef>
#include <vector>

#include "dg/observe/files/mirrored_part.hpp"

namespace maxwell_dg::dg {

/// The factors that take the solver's numbers to the units of files. Empty lists mean 1: normalized units.
struct FileScaling {
  double time{1};
  double energy{1};                     ///< of the whole, where planes of symmetry leave a part of it to the solver
  std::vector<double> fields{};         ///< [field]
  std::vector<double> parameters{};     ///< [parameter]
  std::vector<MirroredPart> parts{{}};  ///< of the whole; the first is the one that is solved

  [[nodiscard]] double field(int index) const { return factor(fields, index); }
  [[nodiscard]] double parameter(int index) const { return factor(parameters, index); }

 private:
  static double factor(const std::vector<double>& factors, int index) {
    return factors.empty() ? 1.0 : factors.at(static_cast<std::size_t>(index));
  }
};

}  // namespace maxwell_dg::dg
