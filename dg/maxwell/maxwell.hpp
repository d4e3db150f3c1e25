#pragma once

#include "dg/symbolic/system.hpp"
#include "dg/symbolic/vector.hpp"

namespace maxwell_dg::dg::maxwell {

struct Options {
  double alpha = 1.0;  ///< 1: upwind (Riemann) flux, 0: central, between: blended
  /// Electric field of an incident wave, of position and time; only its tangential part on pec matters. With it the
  /// unknowns are the scattered field, which pec boundaries radiate. That holds in vacuum, and with no boundaries but
  /// pec and absorbing: materials and pmc do not know of the wave. Zero means none.
  symbolic::Vector incident_E{};
};

/// Maxwell's curl equations with epsilon_0 = mu_0 = 1: fields Ex Ey Ez Hx Hy Hz; parameters epsilon_r, mu_r, sigma;
/// boundaries pec, pmc, absorbing; energies electric and magnetic.
[[nodiscard]] System system(const Options& options = {});

}  // namespace maxwell_dg::dg::maxwell
