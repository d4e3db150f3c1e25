#include "dg/reference/gauss_jacobi.hpp"

#include <cmath>

namespace maxwell_dg::dg {

GaussJacobi GaussJacobi::make(int points, int alpha) {
  Eigen::MatrixXd recurrence = Eigen::MatrixXd::Zero(points, points);
  const double a = alpha;
  recurrence(0, 0) = -a / (a + 2);
  for (int n = 1; n < points; ++n) {
    const double s = 2.0 * n + a;
    recurrence(n, n) = -a * a / (s * (s + 2));
    recurrence(n, n - 1) = 2 * n * (n + a) / (s * std::sqrt(s * s - 1));
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(recurrence);  // reads the lower half
  const double total = std::pow(2.0, a + 1) / (a + 1);
  return {eigen.eigenvalues(), total * eigen.eigenvectors().row(0).array().square()};
}

}  // namespace maxwell_dg::dg
