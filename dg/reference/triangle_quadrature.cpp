#include "dg/reference/triangle_quadrature.hpp"

#include <array>

#include "dg/reference/gauss_legendre.hpp"
#include "dg/reference/symmetric_orbits.hpp"

namespace maxwell_dg::dg {

TriangleQuadrature TriangleQuadrature::exact_to(int degree) {
  const GaussLegendre along = GaussLegendre::make(degree / 2 + 1);
  const GaussLegendre across = GaussLegendre::make((degree + 1) / 2 + 1);  // the Jacobian (1 - b) / 2 adds a degree
  TriangleQuadrature result;
  for (Eigen::Index j = 0; j < across.x.size(); ++j) {
    for (Eigen::Index i = 0; i < along.x.size(); ++i) {
      const double width = (1 - across.x[j]) / 2;
      result.r.push_back((1 + along.x[i]) * width - 1);
      result.s.push_back(across.x[j]);
      result.weights.push_back(along.weights[i] * across.weights[j] * width);
    }
  }
  return result;
}

TriangleQuadrature TriangleQuadrature::symmetric(int degree) {
  TriangleQuadrature result;
  for_each_point(triangle_orbits(degree), [&](const std::array<double, 3>& barycentric, double share) {
    result.r.push_back(2 * barycentric[1] - 1);
    result.s.push_back(2 * barycentric[2] - 1);
    result.weights.push_back(2 * share);
  });
  return result.weights.empty() ? exact_to(degree) : result;
}

}  // namespace maxwell_dg::dg
