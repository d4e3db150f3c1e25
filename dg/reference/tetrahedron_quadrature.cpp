#include "dg/reference/tetrahedron_quadrature.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "dg/reference/gauss_jacobi.hpp"
#include "dg/reference/symmetric_orbits.hpp"

namespace maxwell_dg::dg {

TetrahedronQuadrature TetrahedronQuadrature::exact_to(int degree) {
  const auto orbits = tetrahedron_orbits(degree);
  if (orbits.empty()) return collapsed(degree);
  TetrahedronQuadrature result;
  for_each_point(orbits, [&](const std::array<double, 4>& barycentric, double share) {
    result.r.push_back(2 * barycentric[1] - 1);
    result.s.push_back(2 * barycentric[2] - 1);
    result.t.push_back(2 * barycentric[3] - 1);
    result.weights.push_back(share * 4 / 3);
  });
  return result;
}

TetrahedronQuadrature TetrahedronQuadrature::collapsed(int degree) {
  if (degree < 0) throw std::invalid_argument("quadrature of degree " + std::to_string(degree) + ": it is at least 0");
  const int n = degree / 2 + 1;
  const GaussJacobi a = GaussJacobi::make(n, 0), b = GaussJacobi::make(n, 1), c = GaussJacobi::make(n, 2);
  TetrahedronQuadrature result;
  for (Eigen::Index k = 0; k < n; ++k) {
    for (Eigen::Index j = 0; j < n; ++j) {
      for (Eigen::Index i = 0; i < n; ++i) {
        result.r.push_back((1 + a.x[i]) * (1 - b.x[j]) * (1 - c.x[k]) / 4 - 1);
        result.s.push_back((1 + b.x[j]) * (1 - c.x[k]) / 2 - 1);
        result.t.push_back(c.x[k]);
        result.weights.push_back(a.weights[i] * b.weights[j] * c.weights[k] / 8);  // dr ds dt = (1-b)(1-c)^2/8 da db dc
      }
    }
  }
  return result;
}

}  // namespace maxwell_dg::dg
