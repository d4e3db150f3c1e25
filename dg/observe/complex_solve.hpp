#pragma once

#include <Eigen/Core>

namespace maxwell_dg::dg {

/// X of the least |A X - B|, column by column, and of these the one that a rank-revealing QR decomposition finds where
/// there are several; A has as many rows as B, and at least as many as columns.
[[nodiscard]] Eigen::MatrixXcd complex_solve(const Eigen::MatrixXcd& A, const Eigen::MatrixXcd& B);

}  // namespace maxwell_dg::dg
