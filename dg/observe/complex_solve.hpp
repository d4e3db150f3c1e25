#pragma once

#include <Eigen/Core>

namespace maxwell_dg::dg {

/// The least-squares solution X of A X = B, column by column, by a rank-revealing QR decomposition; if there are
/// several solutions, the one that this finds. A has as many rows as B, and at least as many rows as columns.
[[nodiscard]] Eigen::MatrixXcd complex_solve(const Eigen::MatrixXcd& A, const Eigen::MatrixXcd& B);

}  // namespace maxwell_dg::dg
