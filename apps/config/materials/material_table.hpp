#pragma once

#include <span>
#include <string_view>

namespace maxwell_dg::config {

/// A common material at room temperature, taken as free of dispersion but for its loss tangent where a config asks for
/// that.
struct KnownMaterial {
  std::string_view name;
  double epsilon_r, mu_r;
  double sigma;             ///< [S/m]
  double loss_tangent;      ///< 0: none is known
  std::string_view source;  ///< of the values, with the frequency where they were measured
};

/// By name, in alphabetical order.
[[nodiscard]] std::span<const KnownMaterial> known_materials();

/// nullptr where there is none of that name.
[[nodiscard]] const KnownMaterial* known_material(std::string_view name);

}  // namespace maxwell_dg::config
