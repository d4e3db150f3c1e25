#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dg/codegen/tile_factors.hpp"
#include "dg/reference/mirror_sums.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

/// Mirror sums (MirrorSums) as products by tiles have them: in columns, those of a kind from a multiple of
/// `step_columns` on, so that a step of a product has one kind. The o-th orbit has its sums in column o of kinds 0, 2
/// and 3, in column o of kind 1 too if it is one of four, else `seconds` before; as far as a kind has it.
struct MirrorColumns {
  MirrorSums sums;
  std::array<int, MirrorSums::kinds> first{};  ///< [kind] column
  int count{};                                 ///< with those that pad a kind

  explicit MirrorColumns(MirrorSums of_points);
  /// Orbits in an order in which squares of items (bank_order.hpp) that have an orbit each read nodes without waits, as
  /// far as may be.
  [[nodiscard]] static MirrorColumns of_nodes(const ReferenceElement& reference);
  [[nodiscard]] static MirrorColumns of_face_nodes(const ReferenceElement& reference);
  /// [point] where its number is put before mirror sums are taken in place.
  [[nodiscard]] std::vector<int> offsets() const;
  [[nodiscard]] int orbits() const { return sums.count[0]; }  ///< each has a sum of kind 0
  /// Steps of a product over the columns of a kind.
  [[nodiscard]] int steps_of(int kind) const { return steps(sums.count.at(static_cast<std::size_t>(kind))); }
};

/// Some rows of one kind, of the matrices between mirror sums.
struct MirrorTile {
  int kind;
  int first, rows;  ///< of the kind's rows
  int first_D,
      first_lift;  ///< steps of all tiles before, in products with D_u, D_v, D_w, one after the other; with LIFT
};
[[nodiscard]] std::vector<MirrorTile> mirror_tiles(const MirrorColumns& nodes, const MirrorColumns& face_nodes,
                                                   int tile_nodes);

/// What kernels look up by node of a face, [node] words of a byte for each face: the place of its number among mirror
/// sums; and by orbit of nodes, [orbit] words of a byte for each of its four nodes, repeated where it has fewer.
[[nodiscard]] std::vector<std::int32_t> mirror_words(const MirrorColumns& nodes, const MirrorColumns& face_nodes);
/// Of four bytes, the first of them the lowest.
[[nodiscard]] std::int32_t word_of(const std::array<int, 4>& bytes);

}  // namespace maxwell_dg::dg
