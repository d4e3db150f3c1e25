#pragma once

#include "core/round_up.hpp"
#include "dg/codegen/tile_factors.hpp"

namespace maxwell_dg::dg {

/// Where the fluxes of a field lie in shared memory, by tiles, and so do LIFT's columns: first the nodes of each face
/// that have whole steps of the lift to themselves, [face][offset]; then the others, [face][node], or [node][face]. The
/// lift then skips the steps of a face on which the field has no flux. In kernels: flux_offset (fluxes_by_node.kernel).
struct FluxOffsets {
  int nodes{};            ///< of a face
  int whole_nodes{};      ///< of each face: those with whole steps, for which there are
  int offsets_a_face{};   ///< so many offsets, pads included
  bool others_by_node{};  ///< [node][face]

  /// All nodes of a face with steps of their own, padded.
  [[nodiscard]] static constexpr FluxOffsets padded(int nodes) {
    return {.nodes = nodes, .whole_nodes = nodes, .offsets_a_face = round_up(nodes, step_columns)};
  }
  /// So many of a face's nodes as fill steps.
  [[nodiscard]] static constexpr FluxOffsets in_whole_steps(int nodes, bool others_by_node) {
    const int whole = nodes / step_columns * step_columns;
    return {.nodes = nodes, .whole_nodes = whole, .offsets_a_face = whole, .others_by_node = others_by_node};
  }
  /// Face after face.
  [[nodiscard]] static constexpr FluxOffsets dense(int nodes, bool by_node) {
    return {.nodes = nodes, .others_by_node = by_node};
  }

  [[nodiscard]] constexpr int other_nodes() const { return nodes - whole_nodes; }
  /// Nodes of a face, and offsets that pad them.
  [[nodiscard]] constexpr int items_a_face() const { return nodes + offsets_a_face - whole_nodes; }
  /// Of a field, pads included.
  [[nodiscard]] constexpr int count() const { return 4 * (offsets_a_face + other_nodes()); }
  [[nodiscard]] constexpr int offset(int face, int node) const {
    if (node < whole_nodes) return face * offsets_a_face + node;
    const int other = node - whole_nodes;
    return 4 * offsets_a_face + (others_by_node ? other * 4 + face : face * other_nodes() + other);
  }
};

}  // namespace maxwell_dg::dg
