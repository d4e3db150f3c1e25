#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "dg/mesh/curved/curved_cells.hpp"

namespace maxwell_dg::dg {

/// [node, node] From a polynomial's values at equidistant nodes to its coefficients in the Bernstein basis of the same
/// order, listed alike: it lies between the least and the greatest of them.
[[nodiscard]] Eigen::MatrixXd bernstein_of_nodal(int order);

/// Decides whether the maps of curved cells of one order are invertible: whether the determinant of their Jacobian has
/// one sign everywhere. Not by samples, which miss what is between them, but by bounds: a polynomial lies between its
/// least and its greatest coefficient in the Bernstein basis. Where these do not decide, the cell is halved until they
/// do (Johnen, Remacle, Geuzaine 2013).
class DeterminantCheck {
 public:
  /// Values below this part of the mean count as none: so little of a cell would be left that no time step is stable.
  static constexpr double least_part = 1e-6;

  /// Throws std::invalid_argument for an order outside 1 to 9.
  explicit DeterminantCheck(int order);

  /// Where (r, s, t) the determinant, times `sign`, is not positive; none where it is positive everywhere. For the
  /// nodes of a cell as CurvedCells has them. A cell that stays undecided counts as not invertible at its lowest bound.
  [[nodiscard]] std::optional<Point> find_not_positive(std::span<const Point> nodes, double sign) const;

  /// The coefficients of the determinant in the Bernstein basis of degree 3 (order - 1), listed as geometry_nodes lists
  /// the exponents of the barycentric coordinates.
  [[nodiscard]] std::vector<double> coefficients(std::span<const Point> nodes) const;

 private:
  int order_;
  Eigen::MatrixXd bernstein_of_nodal_;  ///< [node, node] from values at equidistant nodes to coefficients
  std::vector<GeometryNode> slope_;     ///< exponents of degree order - 1
  std::vector<GeometryNode> square_;    ///< 2 (order - 1)
  std::vector<GeometryNode> cube_;      ///< 3 (order - 1)
};

}  // namespace maxwell_dg::dg
