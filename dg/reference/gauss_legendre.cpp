#include "dg/reference/gauss_legendre.hpp"

#include <cmath>

namespace maxwell_dg::dg {

GaussLegendre GaussLegendre::make(int points) {
  Eigen::MatrixXd recurrence = Eigen::MatrixXd::Zero(points, points);
  for (int n = 1; n < points; ++n) recurrence(n, n - 1) = n / std::sqrt(4.0 * n * n - 1);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(recurrence);  // reads the lower half
  return {eigen.eigenvalues(), 2 * eigen.eigenvectors().row(0).array().square()};
}

}  // namespace maxwell_dg::dg
