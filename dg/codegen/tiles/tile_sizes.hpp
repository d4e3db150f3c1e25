#pragma once

#include <cstddef>
#include <vector>

#include "core/dtype.hpp"
#include "dg/codegen/fit.hpp"
#include "dg/codegen/shared_rows.hpp"
#include "dg/codegen/tile_factors.hpp"
#include "dg/codegen/tiles/flux_offsets.hpp"
#include "dg/codegen/tiles/mirror/mirror_tiles.hpp"
#include "dg/codegen/tiles/tile_operators.hpp"
#include "dg/lowering/contraction.hpp"
#include "dg/schedule/schedule.hpp"

namespace maxwell_dg::dg {

/// Nodes, face nodes and tiles of the matrices between mirror sums; tiles by their nodes.
struct MirrorTiling {
  MirrorColumns nodes, face_nodes;
  std::vector<MirrorTile> tiles_of_8, tiles_of_16;
  [[nodiscard]] static MirrorTiling of_order(int N);
  [[nodiscard]] const std::vector<MirrorTile>& tiles(int tile_nodes) const {
    return tile_nodes == 8 ? tiles_of_8 : tiles_of_16;
  }
};

/// How many there are of what a stage by tiles keeps of the equations.
struct EquationCounts {
  int fields{};
  int parts{}, fields_of_a_part{};  ///< where parts are apart; the most fields
  int operands{}, element_invariants{}, face_invariants{};
  bool has_normals{};  ///< rows of invariants have them: not in the basis of the element
  [[nodiscard]] static EquationCounts of(const ContractedSystem& equations, int fields, bool in_basis_of_element);
};

/// What a schedule by tiles takes: numbers that its kernel, its matrices and the rules of what fits have in common.
struct TileSizes {
  /// `mirrored` where matrices act between mirror sums, else null.
  TileSizes(const Schedule::Tiles& schedule, const EquationCounts& equations, int N, Dtype precision,
            const MirrorTiling* mirrored);

  Schedule::Tiles tiles;
  Dtype precision;
  int nodes;                            ///< of an element
  int fields, parts, fields_of_a_part;  ///< parts and their fields as warps share them
  int tile_elements, tile_nodes;        ///< 16 and 8, or 8 and 16 in a group of 8 elements
  /// Whether the group's elements make whole tiles and each row of tiles has as many warps of each part as the others.
  /// Numbers below are of no meaning where not.
  bool are_shared_evenly{};
  int warps_a_tile_row{};
  int tiles_of_nodes{}, tiles_a_warp{};
  FluxOffsets flux_offsets{};  ///< of fluxes at nodes
  int fluxes_of_a_field{};
  int traces_read{};  ///< of a row, with what pads the last step of the last field's lift
  /// How far apart elements are in shared memory, in values: their traces, and operands of derivatives, none where each
  /// warp makes them itself; and how many nodes each of those has, with padding.
  int trace_row{}, operand_row{}, operand_nodes{};
  int operands_a_node{};
  int row_of_operands{};                                            ///< between mirror sums: results take their place
  int numbers_at_once{};                                            ///< of a face, that a work-item reads
  int values_of_an_element{}, values_of_a_face{}, invariant_row{};  ///< of invariants, in whole vectors
  int derivative_matrices{}, lift_matrices{};  ///< right factors, with those that kernels fetch one step ahead
  TileOperators operators{};
  SharedRows rows{};  ///< of the elements' state
  std::size_t shared_bytes{};

  [[nodiscard]] int items() const { return tiles.warps * 32; }
  /// Whether volume terms come before the traces, which then have the place of the operands.
  [[nodiscard]] bool multiplies_first() const { return tiles.operands == Schedule::Tiles::Operands::mirrored_first; }
  [[nodiscard]] FactorForm factor_form() const;
  /// The order of the 8 nodes of a tile. The two nodes of an item are neighbours, so that they are stored together; but
  /// if rows have an odd number of nodes they are four apart, so that items store to different banks.
  [[nodiscard]] NodeOrder order_of_nodes() const {
    return tile_elements == 16 && nodes % 2 != 0 ? NodeOrder::in_halves : NodeOrder::in_pairs;
  }

 private:
  void place_traces(const EquationCounts& equations, int N, const MirrorTiling* mirrored);
  void count_matrices(int N, const MirrorTiling* mirrored);
};

/// Whether a schedule of such sizes fits, on a device where one is given: the rules of a stage by tiles, for its
/// generator and for the tuner.
[[nodiscard]] Fit fits(const TileSizes& sizes, const core::DeviceInfo* device);

}  // namespace maxwell_dg::dg
