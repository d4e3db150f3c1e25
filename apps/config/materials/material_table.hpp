#pragma once

#include <span>
#include <string_view>

namespace maxwell_dg::config {

/// A common material at room temperature, taken as free of dispersion.
struct KnownMaterial {
  std::string_view name;
  double epsilon_r, mu_r;
  double sigma;             ///< [S/m]
  std::string_view source;  ///< of the values, with the frequency where they were measured
};

/// By name, in alphabetical order.
[[nodiscard]] std::span<const KnownMaterial> known_materials();

}  // namespace maxwell_dg::config
