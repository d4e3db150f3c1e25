#include "dg/time/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <stdexcept>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

#include "dg/lowering/reference_operator.hpp"

namespace maxwell_dg::dg {

std::vector<std::complex<double>> outermost_eigenvalues(Operator& op, int dimension) {
  const ReferenceOperator reference(op.discretization(), op.problem());
  const auto n = static_cast<Eigen::Index>(op.dofs());
  const auto span_of = [n](Eigen::VectorXd& v) { return std::span(v.data(), static_cast<std::size_t>(n)); };
  auto m = std::min<Eigen::Index>(dimension, n);
  Eigen::MatrixXd basis(n, m + 1), weighted(n, m + 1);  // v_j and energy matrix times v_j
  Eigen::MatrixXd hessenberg = Eigen::MatrixXd::Zero(m + 1, m);
  const auto append = [&](Eigen::Index j, Eigen::VectorXd v) {
    Eigen::VectorXd w(n);
    reference.apply_energy_matrix(span_of(v), span_of(w));
    const double norm = std::sqrt(v.dot(w));
    basis.col(j) = v / norm;
    weighted.col(j) = w / norm;
    return norm;
  };

  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  append(0, Eigen::VectorXd::NullaryExpr(n, [&] { return value(random); }));
  Eigen::VectorXd v(n), image(n);
  for (Eigen::Index j = 0; j < m; ++j) {
    v = basis.col(j);
    op.set_state(span_of(v));
    op.evaluate_rhs(0.0, span_of(image));
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough to stay orthogonal
      const Eigen::VectorXd h = weighted.leftCols(j + 1).transpose() * image;
      image -= basis.leftCols(j + 1) * h;
      hessenberg.col(j).head(j + 1) += h;
    }
    hessenberg(j + 1, j) = append(j + 1, image);
    if (hessenberg(j + 1, j) < 1e-10 * hessenberg.col(j).head(j + 1).norm()) m = j + 1;  // an invariant subspace
  }
  const Eigen::VectorXcd values = hessenberg.topLeftCorner(m, m).eigenvalues();
  return {values.begin(), values.end()};
}

DenseSpectrum dense_spectrum(const ReferenceOperator& op) {
  const auto n = static_cast<Eigen::Index>(op.size());
  Eigen::MatrixXd R(n, n), M(n, n);
  std::vector<double> one(op.size()), image(op.size());
  const Eigen::Map<const Eigen::VectorXd> column(image.data(), n);
  for (std::size_t j = 0; j < op.size(); ++j) {
    one[j] = 1;
    op.rhs(one, 0.0, image);
    R.col(static_cast<Eigen::Index>(j)) = column;
    op.apply_energy_matrix(one, image);
    M.col(static_cast<Eigen::Index>(j)) = column;
    one[j] = 0;
  }
  const Eigen::LLT<Eigen::MatrixXd> root(M);  // M = L L^T; L^T R L^-T is the operator for L^T q
  if (root.info() != Eigen::Success) throw std::domain_error("dense_spectrum: the energy is not positive");
  const Eigen::MatrixXd A = root.matrixL().solve(Eigen::MatrixXd((root.matrixU() * R).transpose())).transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> symmetric(0.5 * (A + A.transpose()), Eigen::EigenvaluesOnly);
  const Eigen::VectorXcd values = A.eigenvalues();
  return {{values.begin(), values.end()}, symmetric.eigenvalues().maxCoeff()};
}

Eigen::MatrixXd dense_matrix(const Discretization& discretization, const Problem& problem) {
  const ReferenceOperator op(discretization, problem);
  const std::size_t fields = op.size(), size = fields + auxiliary_count(problem, discretization);
  const auto n = static_cast<Eigen::Index>(size);
  Eigen::MatrixXd matrix(n, n);
  std::vector<double> one(size);
  const std::span<const double> unknowns(one);
  for (std::size_t j = 0; j < size; ++j) {
    one[j] = 1;
    const std::span<double> column(matrix.data() + j * size, size);
    op.rhs(unknowns.first(fields), 0.0, column.first(fields), unknowns.subspan(fields), column.subspan(fields));
    one[j] = 0;
  }
  return matrix;
}

std::vector<std::complex<double>> all_eigenvalues(const Discretization& discretization, const Problem& problem) {
  const Eigen::VectorXcd values = dense_matrix(discretization, problem).eigenvalues();
  return {values.begin(), values.end()};
}

std::vector<std::complex<double>> eigenvalues_near(double shift, const Eigen::MatrixXd& matrix, int dimension) {
  const Eigen::Index n = matrix.rows(), m = std::min<Eigen::Index>(dimension, n);
  Eigen::SparseMatrix<double> shifted = matrix.sparseView(0.0, 0.0);
  for (Eigen::Index i = 0; i < n; ++i) shifted.coeffRef(i, i) -= shift;
  shifted.makeCompressed();
  Eigen::SparseLU<Eigen::SparseMatrix<double>> inverse(shifted);
  if (inverse.info() != Eigen::Success) throw std::domain_error("eigenvalues_near: the shift is an eigenvalue");

  Eigen::MatrixXd basis(n, m + 1), hessenberg = Eigen::MatrixXd::Zero(m + 1, m);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  basis.col(0) = Eigen::VectorXd::NullaryExpr(n, [&] { return value(random); }).normalized();
  Eigen::Index steps = m;
  for (Eigen::Index j = 0; j < steps; ++j) {
    Eigen::VectorXd image = inverse.solve(basis.col(j));
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough to stay orthogonal
      const Eigen::VectorXd h = basis.leftCols(j + 1).transpose() * image;
      image -= basis.leftCols(j + 1) * h;
      hessenberg.col(j).head(j + 1) += h;
    }
    const double rest = image.norm();
    hessenberg(j + 1, j) = rest;
    basis.col(j + 1) = image / rest;
    if (rest < 1e-12 * hessenberg.col(j).head(j + 1).norm()) steps = j + 1;  // an invariant subspace
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> of(hessenberg.topLeftCorner(steps, steps));
  const Eigen::MatrixXcd vectors = of.eigenvectors();  // of length 1
  std::vector<std::complex<double>> found;
  for (Eigen::Index i = 0; i < steps; ++i) {
    const std::complex<double> inverted = of.eigenvalues()[i];
    const double residual = hessenberg(steps, steps - 1) * std::abs(vectors(steps - 1, i));
    if (residual < 1e-8 * std::abs(inverted)) found.push_back(shift + 1.0 / inverted);
  }
  return found;
}

double largest_stable_step(const std::vector<std::complex<double>>& eigenvalues, const RungeKutta& method) {
  constexpr double rounding = 1e-7;  // of eigenvalues on the imaginary axis
  const auto stable = [&](double dt) {
    return std::all_of(eigenvalues.begin(), eigenvalues.end(),
                       [&](std::complex<double> lambda) { return growth(method, dt * lambda) <= 1.0 + rounding; });
  };
  double radius = 0.0;
  for (const auto& lambda : eigenvalues) radius = std::max(radius, std::abs(lambda));
  double low = 0.1 / radius, high = low;
  while (stable(high)) high *= 1.05;
  low = high / 1.05;
  for (int i = 0; i < 40; ++i) (stable((low + high) / 2) ? low : high) = (low + high) / 2;
  return low;
}

}  // namespace maxwell_dg::dg
