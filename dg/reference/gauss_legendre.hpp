#pragma once

#include <Eigen/Dense>

namespace maxwell_dg::dg {

/// Gauss points and weights on [-1, 1], ascending. The rule is exact for polynomials up to degree 2 `points` - 1. They
/// are computed from the eigenvectors of the recurrence's matrix (Golub & Welsch, Math. Comp. 23, 1969).
struct GaussLegendre {
  Eigen::VectorXd x, weights;
  [[nodiscard]] static GaussLegendre make(int points);
};

}  // namespace maxwell_dg::dg
