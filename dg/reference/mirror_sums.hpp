#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

/// What two reflections of the reference tetrahedron make of numbers at points that they map to each other: one
/// exchanges v1 and v2 (r and s, faces 1 and 3), the other v0 and v3 (faces 0 and 2). They sort the points into orbits
/// of four, of two where one of them maps a point to itself, or of one. The numbers of an orbit are as good as their
/// *mirror sums* x_0 +- x_1 +- x_2 +- x_3, which are even or odd in each reflection: of four kinds,
/// 0 even, 1 odd in the first, 2 odd in the second, 3 odd in both.
///
/// Matrices that mean the same on a mirrored element do not mix kinds: three quarters of the entries of LIFT, and of
/// differentiation along axes that the reflections keep, are zero between mirror sums (Schur's lemma for this group;
/// Dr, Ds and Dt themselves are turned into one another, so others take their place: see axes()).
///
/// Points have *slots*, such that mirror sums can be taken in place: sums of a kind stand in a row, [kind][orbit],
/// those of four first, then those of two that the second reflection exchanges, those of two that the first one does,
/// those of one.
struct MirrorSums {
  static constexpr int kinds = 4;

  int fours{}, seconds{}, firsts{}, ones{};  ///< how many orbits: of four, of two that the second or first exchanges
  std::array<int, kinds> first_slot{}, count{};  ///< [kind]
  std::vector<int> slot;                         ///< [point]

  /// Orbits of a kind are counted in the order in which `first_points`, then the other nodes as they are numbered, meet
  /// them; and the points of an orbit from the one that does.
  [[nodiscard]] static MirrorSums of_nodes(const ReferenceElement& reference,
                                           const std::vector<int>& first_points = {});
  /// Points are nodes of faces, face * Nfp + k: the columns of LIFT.
  [[nodiscard]] static MirrorSums of_face_nodes(const ReferenceElement& reference);

  [[nodiscard]] int points() const { return static_cast<int>(slot.size()); }
  /// [slot, point]: mirror sums of numbers at points.
  [[nodiscard]] Eigen::MatrixXd sums() const;
  /// [slot, point]: shares, whose mirror sums are the numbers at points, in their slots.
  [[nodiscard]] Eigen::MatrixXd shares() const;

  /// Differentiation along axes u, v, w that the reflections keep or turn round, for (r, s, t) in this order in
  /// whatever goes by axes: x_u = (x_r + x_s - x_t) / 2, x_v = (x_r - x_s) / 2, x_w = x_t. Along axis number a, kind k
  /// becomes kind k ^ a.
  [[nodiscard]] static std::array<Eigen::MatrixXd, 3> derivatives(const ReferenceElement& reference,
                                                                  const MirrorSums& nodes);
  /// [axis u, v, w][gradient of r, s, t]: grad u = grad r + grad s and so on, of the axes above.
  static constexpr std::array<std::array<double, 3>, 3> gradients{{{1, 1, 0}, {1, -1, 0}, {0.5, 0.5, 1}}};
  /// [axis][x_r, x_s, x_t], and x_u . x_v x x_w over J.
  static constexpr std::array<std::array<double, 3>, 3> tangents{{{0.5, 0.5, -0.5}, {0.5, -0.5, 0}, {0, 0, 1}}};
  static constexpr double volume = -0.5;
};

/// A matrix from numbers at points to numbers at points, as one from mirror sums to shares.
[[nodiscard]] Eigen::MatrixXd between_mirror_sums(const Eigen::MatrixXd& matrix, const MirrorSums& rows,
                                                  const MirrorSums& columns);

}  // namespace maxwell_dg::dg
