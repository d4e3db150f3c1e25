#pragma once

#include <vector>

#include <Eigen/Core>

#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

/// Derivatives of polynomials of degree N have degree N - 1, so the rows of differentiation matrices at some nodes are
/// combinations of those at others, the same for r, s and t: contractions are multiplied out at as many nodes as a
/// polynomial of degree N - 1 needs, and interpolated at the rest. At order 4 that saves 30 % of their products, at 8
/// 17 %.
struct DerivativeNodes {
  std::vector<int> multiplied, interpolated;  ///< nodes, in ascending order
  Eigen::MatrixXd interpolation;              ///< [of interpolated, of multiplied]

  /// Such that the interpolation is well conditioned, and for mirror sums (MirrorSums::derivatives): for each kind,
  /// slots in the place of nodes.
  [[nodiscard]] static std::vector<DerivativeNodes> of_mirror_sums(const ReferenceElement& reference);
  /// Nodes whose rows have many zeros: vertices, then nodes of edges. At orders 1 to 3, for matrices as literals.
  [[nodiscard]] static DerivativeNodes sparse(const ReferenceElement& reference);
};

}  // namespace maxwell_dg::dg
