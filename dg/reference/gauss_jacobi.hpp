#pragma once

#include <Eigen/Dense>

namespace maxwell_dg::dg {

/// Points and weights on [-1, 1] for the weight function (1 - x)^alpha, ascending: the sum of weights times f(x) is the
/// integral of (1 - x)^alpha f(x), exactly for polynomials f of degree 2 `points` - 1. As GaussLegendre, which it is
/// with alpha = 0.
struct GaussJacobi {
  Eigen::VectorXd x, weights;
  [[nodiscard]] static GaussJacobi make(int points, int alpha);
};

}  // namespace maxwell_dg::dg
