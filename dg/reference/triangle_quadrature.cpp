#include "dg/reference/triangle_quadrature.hpp"

#include <cmath>

#include <Eigen/Dense>

namespace maxwell_dg::dg {

namespace {

struct Gauss {
  Eigen::VectorXd x, weights;  // on [-1, 1]
};

/// By the eigenvectors of the recurrence's matrix (Golub & Welsch, Math. Comp. 23, 1969).
Gauss gauss_legendre(int points) {
  Eigen::MatrixXd recurrence = Eigen::MatrixXd::Zero(points, points);
  for (int n = 1; n < points; ++n) recurrence(n, n - 1) = n / std::sqrt(4.0 * n * n - 1);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(recurrence);  // reads the lower half
  return {eigen.eigenvalues(), 2 * eigen.eigenvectors().row(0).array().square()};
}

}  // namespace

TriangleQuadrature TriangleQuadrature::exact_to(int degree) {
  const Gauss along = gauss_legendre(degree / 2 + 1);
  const Gauss across = gauss_legendre((degree + 1) / 2 + 1);  // the triangle's width adds a degree
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

}  // namespace maxwell_dg::dg
