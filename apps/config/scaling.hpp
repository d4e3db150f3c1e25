#pragma once

#include <string_view>

#include "apps/config/config.hpp"
#include "core/quantity.hpp"

namespace maxwell_dg::config {

/// From a config's units to those inside, where epsilon_0 = mu_0 = c_0 = 1: inside = factor * outside. Lengths stay
/// metres and E stays V/m, so only five things change:
///
///   t' = c_0 t [m],  f' = f / c_0 [1/m],  H' = Z_0 H [V/m],  sigma' = Z_0 sigma [1/m],  Z' = Z / Z_0,
///   L' = c_0 L / Z_0 [m],  C' = c_0 Z_0 C [m];  energy = epsilon_0 energy' [J]
///
/// With `units: normalized`, and for other equations than Maxwell's, such as acoustics, which hold in any consistent
/// units, every factor is 1.
/// docs/conventions.md has the table.
struct Scaling {
  static constexpr double c_0 = 299792458.0;        ///< m/s, exact
  static constexpr double mu_0 = 1.25663706212e-6;  ///< H/m, CODATA 2018
  static constexpr double epsilon_0 = 1.0 / (mu_0 * c_0 * c_0);
  static constexpr double Z_0 = mu_0 * c_0;  ///< ohm

  double time{1.0};
  double frequency{1.0};
  double electric{1.0};
  double magnetic{1.0};
  double sigma{1.0};
  double impedance{1.0};
  double energy{1.0};  ///< factor from joules

  [[nodiscard]] static Scaling of(const Config& config) {
    if (config.units == Units::normalized || !config.equations().is_maxwell) return {};
    return {.time = c_0,
            .frequency = 1.0 / c_0,
            .electric = 1.0,
            .magnetic = Z_0,
            .sigma = Z_0,
            .impedance = 1.0 / Z_0,
            .energy = 1.0 / epsilon_0};
  }

  /// Of a number of this dimension.
  [[nodiscard]] constexpr double number(core::Dimension dimension) const {
    using core::Dimension;
    switch (dimension) {
      case Dimension::time: return time;
      case Dimension::frequency: return frequency;
      case Dimension::speed: return 1 / time;
      case Dimension::conductivity: return sigma;
      case Dimension::impedance: return impedance;
      case Dimension::inductance: return impedance * time;
      case Dimension::capacitance: return time / impedance;
      case Dimension::none:
      case Dimension::length:
      case Dimension::density: break;
    }
    return 1.0;
  }
  /// Of a field by the name in dg::System::fields ("Hx") or of the whole ("H").
  [[nodiscard]] constexpr double field(std::string_view name) const {
    return name.starts_with('H') ? magnetic : name.starts_with('E') ? electric : 1.0;
  }
};

}  // namespace maxwell_dg::config
