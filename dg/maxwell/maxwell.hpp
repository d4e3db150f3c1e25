#pragma once

#include <vector>

#include "dg/symbolic/fields.hpp"
#include "dg/symbolic/system.hpp"
#include "dg/symbolic/vector.hpp"

namespace maxwell_dg::dg::maxwell {

struct Options {
  double alpha = 1.0;  ///< 1: upwind (Riemann) flux, 0: central, between: blended
  /// Surface impedances, relative to Z_0, of at least 0: each makes a boundary `impedance_I`, I counting them from 0.
  std::vector<double> impedances{};
  /// Whether epsilon and mu are symmetric tensors; dg/maxwell/medium.hpp says which parameters there are then.
  bool anisotropic = false;
};

/// The system's unknowns, by their numbers.
inline constexpr symbolic::VectorField E{0}, H{3};

/// Maxwell's curl equations with epsilon_0 = mu_0 = 1: fields Ex Ey Ez Hx Hy Hz; parameters epsilon_r, mu_r, sigma;
/// boundaries pec, pmc, absorbing, and impedance_0 ...; energies electric and magnetic.
[[nodiscard]] System system(const Options& options = {});

/// [field] how the fields of any medium of the system answer to currents: dE/dt to -J, mu dH/dt to -K, by the medium's
/// own equations with no other field.
[[nodiscard]] std::vector<symbolic::Expr> response(const System& system, const symbolic::Vector& J,
                                                   const symbolic::Vector& K);

}  // namespace maxwell_dg::dg::maxwell
