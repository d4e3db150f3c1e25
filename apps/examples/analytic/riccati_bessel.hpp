#pragma once

#include <vector>

#include "apps/examples/analytic/vector.hpp"

namespace maxwell_dg::analytic {

/// Riccati-Bessel functions of a real x > 0 and their derivatives, orders 0 to n_max:
/// psi_n = x j_n(x), chi_n = x y_n(x); an outgoing wave exp(-i omega t) is xi_n = psi_n + i chi_n.
struct RiccatiBessel {
  std::vector<double> psi, dpsi;  ///< [n_max + 1]
  std::vector<double> chi, dchi;  ///< [n_max + 1]

  /// Each function is recurred in the direction in which it grows, so that rounding errors fade:
  /// psi downwards (Miller's algorithm), chi upwards. Relative error of about 1e-14 away from zeros.
  /// Throws std::invalid_argument for x <= 0 or n_max < 0.
  [[nodiscard]] static RiccatiBessel make(double x, int n_max);
};

/// Spherical Bessel function j_n(x) divided by x^n: even and smooth through x = 0.
[[nodiscard]] double spherical_bessel_j_over_power(int n, double x);
/// The same of a complex number, by its power series alone: 1e-12 relative out to |z| = 8.
[[nodiscard]] Complex spherical_bessel_j_over_power(int n, Complex z);

}  // namespace maxwell_dg::analytic
