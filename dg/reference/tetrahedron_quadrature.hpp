#pragma once

#include <cstddef>
#include <vector>

namespace maxwell_dg::dg {

/// Points and weights on the reference tetrahedron, whose volume is 4/3: all weights are positive, all points inside.
struct TetrahedronQuadrature {
  std::vector<double> r, s, t, weights;

  [[nodiscard]] std::size_t size() const { return weights.size(); }

  /// Integrates polynomials up to this total degree exactly: to degree 18 by few points that all permutations of the
  /// vertices keep (dg/reference/symmetric_orbits.hpp), above as `collapsed`. Throws std::invalid_argument for a
  /// negative degree.
  [[nodiscard]] static TetrahedronQuadrature exact_to(int degree);

  /// The same for any degree, by (degree/2 + 1)^3 points: those of Gauss and Jacobi in the collapsed coordinates a, b,
  /// c with t = c, s = (1 + b)(1 - c)/2 - 1, r = (1 + a)(1 - b)(1 - c)/4 - 1 (Karniadakis & Sherwin, Spectral/hp
  /// Element Methods, 2005, section 4.1).
  [[nodiscard]] static TetrahedronQuadrature collapsed(int degree);
};

}  // namespace maxwell_dg::dg
