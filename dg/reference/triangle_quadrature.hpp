#pragma once

#include <vector>

namespace maxwell_dg::dg {

/// Points and weights on the reference triangle (-1,-1), (1,-1), (-1,1), whose area is 2.
struct TriangleQuadrature {
  std::vector<double> r, s, weights;

  /// Integrates polynomials up to this total degree exactly: Gauss-Legendre points in the collapsed coordinates
  /// r = (1 + a)(1 - b) / 2 - 1, s = b (Karniadakis & Sherwin, Spectral/hp Element Methods, 2005, section 4.1).
  [[nodiscard]] static TriangleQuadrature exact_to(int degree);
};

}  // namespace maxwell_dg::dg
