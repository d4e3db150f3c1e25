#include "dg/mesh/fitted_round.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <Eigen/Dense>

namespace maxwell_dg::dg {

std::optional<FittedRound> fit_round(std::span<const Point> points, int dimensions) {
  const auto rows = static_cast<Eigen::Index>(points.size());
  if (rows <= dimensions) return std::nullopt;
  Eigen::RowVector3d mean = Eigen::RowVector3d::Zero();
  Eigen::MatrixXd x(rows, 3);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Point& p = points[static_cast<std::size_t>(i)];
    x.row(i) << p[0], p[1], p[2];
  }
  mean = x.colwise().mean();
  x.rowwise() -= mean;  // so that what is solved is well conditioned wherever the origin is
  const double size = x.cwiseAbs().maxCoeff();
  if (!(size > 0)) return std::nullopt;
  x /= size;
  Eigen::MatrixXd A(rows, dimensions + 1);
  A.leftCols(dimensions) = 2 * x.leftCols(dimensions);
  A.rightCols(1).setOnes();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver(A);
  solver.setThreshold(1e-6);
  if (solver.rank() <= dimensions) return std::nullopt;
  const Eigen::VectorXd squares = x.leftCols(dimensions).rowwise().squaredNorm();
  const Eigen::VectorXd solution = solver.solve(squares);
  const Eigen::VectorXd c = solution.head(dimensions);
  const double R = std::sqrt(solution(dimensions) + c.squaredNorm());
  if (!std::isfinite(R)) return std::nullopt;

  FittedRound round{.centre = {}, .radius = R * size, .deviation = 0};
  for (Eigen::Index d = 0; d < dimensions; ++d) round.centre.at(static_cast<std::size_t>(d)) = mean(d) + size * c(d);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double r = (x.row(i).head(dimensions).transpose() - c).norm();
    round.deviation = std::max(round.deviation, std::abs(r / R - 1));
  }
  return round;
}

}  // namespace maxwell_dg::dg
