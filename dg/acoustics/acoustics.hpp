#pragma once

#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg::acoustics {

struct Options {
  double alpha = 1.0;  ///< 1: upwind (Riemann) flux, 0: central, between: blended
};

/// Linear acoustics: fields p, ux uy uz; parameters rho (density) and c (speed of sound); boundaries rigid,
/// pressure_release, absorbing; energies potential and kinetic.
[[nodiscard]] System system(const Options& options = {});

}  // namespace maxwell_dg::dg::acoustics
