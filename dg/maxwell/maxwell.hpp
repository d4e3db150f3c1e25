#pragma once

#include "dg/symbolic/system.hpp"
#include "dg/symbolic/vector.hpp"

namespace maxwell_dg::dg::maxwell {

struct Options {
  double alpha = 1.0;  ///< 1: upwind (Riemann) flux, 0: central, between: blended
  /// Tangential electric field of an incident wave, of position and time. With it the unknowns are the scattered
  /// field, and conductors radiate it: zero means none.
  symbolic::Vector incident_E{};
};

/// Maxwell's curl equations with epsilon_0 = mu_0 = 1: fields Ex Ey Ez Hx Hy Hz; parameters epsilon_r, mu_r, sigma;
/// boundaries pec, pmc, absorbing; energies electric and magnetic.
[[nodiscard]] System system(const Options& options = {});

}  // namespace maxwell_dg::dg::maxwell
