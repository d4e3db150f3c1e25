#include "dg/operator/derivative_nodes.hpp"

#include <algorithm>
#include <numeric>

#include <Eigen/QR>

namespace maxwell_dg::dg {

namespace {

constexpr double least_part = 1e-10;  // of a node's rows that is no combination of others'

/// [row of Dr, Ds or Dt][node]: a column has a node's rows of all three matrices, one under the other.
Eigen::MatrixXd rows_of_nodes(const ReferenceElement& reference) {
  Eigen::MatrixXd rows(3 * reference.Np, reference.Np);
  rows << reference.Dr.transpose(), reference.Ds.transpose(), reference.Dt.transpose();
  return rows;
}

DerivativeNodes with(const Eigen::MatrixXd& rows, std::vector<int> multiplied, std::vector<int> interpolated) {
  std::ranges::sort(multiplied);
  std::ranges::sort(interpolated);
  Eigen::MatrixXd interpolation =
      rows(Eigen::all, multiplied).colPivHouseholderQr().solve(rows(Eigen::all, interpolated)).transpose();
  return {std::move(multiplied), std::move(interpolated), std::move(interpolation)};
}

}  // namespace

DerivativeNodes DerivativeNodes::well_conditioned(const ReferenceElement& reference) {
  const Eigen::MatrixXd rows = rows_of_nodes(reference);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> pivoted(rows.rows(), rows.cols());
  pivoted.setThreshold(least_part);
  pivoted.compute(rows);
  const Eigen::VectorXi nodes = pivoted.colsPermutation().indices();
  return with(rows, {nodes.begin(), nodes.begin() + pivoted.rank()}, {nodes.begin() + pivoted.rank(), nodes.end()});
}

DerivativeNodes DerivativeNodes::sparse(const ReferenceElement& reference) {
  const Eigen::MatrixXd rows = rows_of_nodes(reference);
  std::vector<int> nodes(static_cast<std::size_t>(reference.Np));
  std::iota(nodes.begin(), nodes.end(), 0);
  std::ranges::stable_sort(nodes, {}, [&](int n) { return (rows.col(n).array().abs() > least_part).count(); });
  std::vector<int> multiplied, interpolated;
  Eigen::MatrixXd basis(rows.rows(), 0);  // orthonormal, of the rows of `multiplied`
  for (const int n : nodes) {
    Eigen::VectorXd rest = rows.col(n);
    for (int twice = 0; twice < 2; ++twice) rest -= basis * (basis.transpose() * rest);
    if (rest.norm() <= least_part * rows.col(n).norm()) {
      interpolated.push_back(n);
      continue;
    }
    multiplied.push_back(n);
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.rightCols(1) = rest.normalized();
  }
  return with(rows, std::move(multiplied), std::move(interpolated));
}

}  // namespace maxwell_dg::dg
