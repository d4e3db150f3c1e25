#pragma once

#include <vector>

namespace maxwell_dg::dg {

/// Points and weights on the reference triangle (-1,-1), (1,-1), (-1,1), whose area is 2.
struct TriangleQuadrature {
  std::vector<double> r, s, weights;

  /// A rule that integrates polynomials up to this total degree exactly: Gauss points in the collapsed coordinates
  /// r = (1 + a)(1 - b) / 2 - 1, s = b (Karniadakis & Sherwin, Spectral/hp Element Methods, 2005, section 4.1).
  [[nodiscard]] static TriangleQuadrature exact_to(int degree);

  /// The same, to degree 18 by two thirds of the points, which all permutations of the vertices keep
  /// (dg/reference/symmetric_orbits.hpp); for what pays for each point in every time step.
  [[nodiscard]] static TriangleQuadrature symmetric(int degree);
};

}  // namespace maxwell_dg::dg
