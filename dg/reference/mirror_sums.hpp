#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

/// A symmetry-adapted basis for numbers at points of the reference tetrahedron. Two reflections map the points to each
/// other: the first exchanges the vertices v1 and v2 (r and s, faces 1 and 3), the second v0 and v3 (faces 0 and 2).
/// The points fall into orbits of four, of two (if one of the reflections maps a point to itself) or of one. The
/// numbers x_i of an orbit are replaced by their *mirror sums* x_0 +- x_1 +- x_2 +- x_3. Each of these is even (keeps
/// its value) or odd (changes its sign) under each reflection, which gives four kinds: 0 even under both, 1 odd under
/// the first only, 2 odd under the second only, 3 odd under both.
///
/// A matrix that commutes with the reflections does not mix kinds (Schur's lemma for this group): between mirror sums
/// three quarters of the entries of LIFT are zero. Dr, Ds and Dt do not commute with them, but differentiation matrices
/// along other axes take one kind to one other kind (see `derivatives`).
///
/// Each point has a *slot*, an index for which mirror sums can be computed in place. Sums of one kind are adjacent,
/// [kind][orbit]: first orbits of four, then those of two that the second reflection exchanges, then those of two that
/// the first one exchanges, then those of one.
struct MirrorSums {
  static constexpr int kinds = 4;

  /// How many orbits there are: of four points, of two that the second or the first reflection exchanges, of one.
  int fours{}, seconds{}, firsts{}, ones{};
  std::array<int, kinds> first_slot{}, count{};  ///< [kind]
  std::vector<int> slot;                         ///< [point]

  /// For nodes of an element. The orbits of each size are numbered in the order in which their points occur in
  /// `first_points`, then among all nodes; the first such point is the first of its orbit.
  [[nodiscard]] static MirrorSums of_nodes(const ReferenceElement& reference,
                                           const std::vector<int>& first_points = {});
  /// For nodes of faces, the columns of LIFT: point face * Nfp + k.
  [[nodiscard]] static MirrorSums of_face_nodes(const ReferenceElement& reference);

  /// For points of the element, and for points of faces, point face * count + i: both (r, s, t), and of rules that all
  /// permutations of the vertices keep. Throws std::logic_error for others.
  [[nodiscard]] static MirrorSums of_points(const std::vector<std::array<double, 3>>& points);
  [[nodiscard]] static MirrorSums of_face_points(const std::array<std::vector<std::array<double, 3>>, 4>& of_faces);
  /// For points (r, s) of a triangle, with the one reflection that exchanges r and s as the first.
  [[nodiscard]] static MirrorSums of_triangle(const std::vector<double>& r, const std::vector<double>& s);

  [[nodiscard]] int points() const { return static_cast<int>(slot.size()); }
  /// [slot, point] the matrix that takes numbers at points to their mirror sums.
  [[nodiscard]] Eigen::MatrixXd sums() const;
  /// [slot, point] the matrix that takes numbers at points to *shares*: numbers in slots whose mirror sums are the
  /// numbers at the points, in the order of slots.
  [[nodiscard]] Eigen::MatrixXd shares() const;

  /// [axis u, v, w] differentiation matrices from mirror sums to shares. Each reflection keeps each of these axes or
  /// reverses it: x_u = (x_r + x_s - x_t) / 2, x_v = (x_r - x_s) / 2, x_w = x_t. The derivative along axis number a (0,
  /// 1, 2) takes kind k to kind k ^ a.
  [[nodiscard]] static std::array<Eigen::MatrixXd, 3> derivatives(const ReferenceElement& reference,
                                                                  const MirrorSums& nodes);
  /// [axis u, v, w][r, s, t] grad u = grad r + grad s, and so on, of these axes.
  static constexpr std::array<std::array<double, 3>, 3> gradients{{{1, 1, 0}, {1, -1, 0}, {0.5, 0.5, 1}}};
  /// [axis u, v, w][x_r, x_s, x_t] the tangents x_u, x_v, x_w; and x_u . (x_v x x_w) over J.
  static constexpr std::array<std::array<double, 3>, 3> tangents{{{0.5, 0.5, -0.5}, {0.5, -0.5, 0}, {0, 0, 1}}};
  static constexpr double volume = -0.5;
};

/// A matrix that takes numbers at points to numbers at points, rewritten to take mirror sums to shares.
[[nodiscard]] Eigen::MatrixXd between_mirror_sums(const Eigen::MatrixXd& matrix, const MirrorSums& rows,
                                                  const MirrorSums& columns);

}  // namespace maxwell_dg::dg
