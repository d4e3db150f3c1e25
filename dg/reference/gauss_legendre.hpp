#pragma once

#include <Eigen/Dense>

namespace maxwell_dg::dg {

/// Points and weights on [-1, 1], ascending; exact for polynomials of degree 2 `points` - 1. By the eigenvectors of the
/// recurrence's matrix (Golub & Welsch, Math. Comp. 23, 1969).
struct GaussLegendre {
  Eigen::VectorXd x, weights;
  [[nodiscard]] static GaussLegendre make(int points);
};

}  // namespace maxwell_dg::dg
