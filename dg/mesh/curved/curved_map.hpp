#pragma once

#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "dg/mesh/curved/curved_cells.hpp"

namespace maxwell_dg::dg {

/// The maps of curved cells at some points of the reference tetrahedron, the same ones in every cell: made once,
/// applied to any number of cells. By Lagrange polynomials on equidistant nodes as products (Silvester 1969), which
/// loses no digits to a matrix that is inverted.
class CurvedMap {
 public:
  /// `points`: (r, s, t), inside or outside. Throws std::invalid_argument for an order outside 1 to 9.
  CurvedMap(int order, std::span<const Point> points);

  /// [point] Where the map has the points, for the nodes of a cell as CurvedCells has them.
  [[nodiscard]] std::vector<Point> positions(std::span<const Point> nodes) const;
  /// [point] Its derivatives there, (i, j) being that of x_i by the reference coordinate j.
  [[nodiscard]] std::vector<Eigen::Matrix3d> jacobians(std::span<const Point> nodes) const;

 private:
  using Matrix = Eigen::MatrixXd;
  Matrix value_, by_r_, by_s_, by_t_;  ///< [point, node] Lagrange polynomials and their derivatives
};

/// The reference coordinates, inside or outside, that the map of a curved cell takes to x, to rounding: by Newton's
/// method from `start`. Nothing where it does not come to an end, as it may not for points outside of the cell.
[[nodiscard]] std::optional<Point> inverse_of_map(int order, std::span<const Point> nodes, const Point& x,
                                                  const Point& start);

}  // namespace maxwell_dg::dg
