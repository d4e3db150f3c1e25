#include "dg/reference/derivative_nodes.hpp"

#include <algorithm>
#include <numeric>

#include <Eigen/QR>

#include "dg/reference/mirror_sums.hpp"

namespace maxwell_dg::dg {

namespace {

constexpr double least_part = 1e-10;  // the part of a node's rows that is linearly independent of other nodes' rows

/// [3 Np, Np] column n consists of the rows of node n in all three matrices, one below the other.
Eigen::MatrixXd rows_of_nodes(const Eigen::MatrixXd& Dr, const Eigen::MatrixXd& Ds, const Eigen::MatrixXd& Dt) {
  Eigen::MatrixXd rows(3 * Dr.cols(), Dr.rows());
  rows << Dr.transpose(), Ds.transpose(), Dt.transpose();
  return rows;
}

DerivativeNodes with(const Eigen::MatrixXd& rows, std::vector<int> multiplied, std::vector<int> interpolated) {
  std::ranges::sort(multiplied);
  std::ranges::sort(interpolated);
  if (multiplied.empty()) return {{}, interpolated, Eigen::MatrixXd(std::ssize(interpolated), 0)};
  Eigen::MatrixXd interpolation =
      rows(Eigen::all, multiplied).colPivHouseholderQr().solve(rows(Eigen::all, interpolated)).transpose();
  return {std::move(multiplied), std::move(interpolated), std::move(interpolation)};
}

}  // namespace

std::vector<DerivativeNodes> DerivativeNodes::of_mirror_sums(const ReferenceElement& reference) {
  const MirrorSums sums = MirrorSums::of_nodes(reference);
  const auto [Du, Dv, Dw] = MirrorSums::derivatives(reference, sums);
  const Eigen::MatrixXd rows = rows_of_nodes(Du, Dv, Dw);
  const double least = least_part * rows.colwise().norm().maxCoeff();
  std::vector<DerivativeNodes> of_kinds;
  for (std::size_t kind = 0; kind < MirrorSums::kinds; ++kind) {
    const int first = sums.first_slot.at(kind), count = sums.count.at(kind);
    if (count == 0) {
      of_kinds.emplace_back();
      continue;
    }
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> pivoted(rows.middleCols(first, count));
    const auto rank = (pivoted.matrixR().diagonal().array().abs() > least).count();
    const Eigen::VectorXi slots = pivoted.colsPermutation().indices().array() + first;
    of_kinds.push_back(with(rows, {slots.begin(), slots.begin() + rank}, {slots.begin() + rank, slots.end()}));
  }
  return of_kinds;
}

DerivativeNodes DerivativeNodes::sparse(const ReferenceElement& reference) {
  const Eigen::MatrixXd rows = rows_of_nodes(reference.Dr, reference.Ds, reference.Dt);
  std::vector<int> nodes(static_cast<std::size_t>(reference.Np));
  std::iota(nodes.begin(), nodes.end(), 0);
  std::ranges::stable_sort(nodes, {}, [&](int n) { return (rows.col(n).array().abs() > least_part).count(); });
  std::vector<int> multiplied, interpolated;
  Eigen::MatrixXd basis(rows.rows(), 0);  // an orthonormal basis of the space that the rows of `multiplied` span
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
