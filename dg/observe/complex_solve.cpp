#include "dg/observe/complex_solve.hpp"

#include <Eigen/QR>

namespace maxwell_dg::dg {

// Solves a real problem of twice the size: Eigen's decomposition of real matrices is compiled anyway, and that of
// complex ones would take seconds more to compile.
Eigen::MatrixXcd complex_solve(const Eigen::MatrixXcd& A, const Eigen::MatrixXcd& B) {
  const Eigen::Index rows = A.rows(), columns = A.cols();
  Eigen::MatrixXd parts(2 * rows, 2 * columns);
  parts.topLeftCorner(rows, columns) = A.real();
  parts.topRightCorner(rows, columns) = -A.imag();
  parts.bottomLeftCorner(rows, columns) = A.imag();
  parts.bottomRightCorner(rows, columns) = A.real();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver(parts);
  Eigen::MatrixXcd X(columns, B.cols());
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    Eigen::VectorXd b(2 * rows);
    b.head(rows) = B.col(j).real();
    b.tail(rows) = B.col(j).imag();
    const Eigen::VectorXd x = solver.solve(b);
    X.col(j).real() = x.head(columns);
    X.col(j).imag() = x.tail(columns);
  }
  return X;
}

}  // namespace maxwell_dg::dg
