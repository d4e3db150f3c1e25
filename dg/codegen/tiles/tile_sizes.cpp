#include "dg/codegen/tiles/tile_sizes.hpp"

#include <algorithm>

#include "core/round_up.hpp"
#include "dg/codegen/fused_generator.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/schedule/state_layout.hpp"

namespace maxwell_dg::dg {

namespace {

FluxOffsets offsets_of_fluxes(const Schedule::Tiles& tiles, int Nfp, bool in_basis) {
  const bool by_face = tiles.fluxes == Schedule::Tiles::Fluxes::by_face;
  const FluxOffsets padded = FluxOffsets::padded(Nfp), dense = FluxOffsets::dense(Nfp, by_face);
  const bool adds_steps = steps(padded.count()) > steps(dense.count());
  if (!by_face && !tiles.multiplies_mirror_sums() && !adds_steps) return padded;
  return in_basis ? FluxOffsets::in_whole_steps(Nfp, by_face) : dense;
}

}  // namespace

MirrorTiling MirrorTiling::of_order(int N) {
  const ReferenceElement reference = ReferenceElement::make(N);
  MirrorTiling tiling{.nodes = MirrorColumns::of_nodes(reference),
                      .face_nodes = MirrorColumns::of_face_nodes(reference),
                      .tiles_of_8{},
                      .tiles_of_16{}};
  tiling.tiles_of_8 = mirror_tiles(tiling.nodes, tiling.face_nodes, 8);
  tiling.tiles_of_16 = mirror_tiles(tiling.nodes, tiling.face_nodes, 16);
  return tiling;
}

EquationCounts EquationCounts::of(const ContractedSystem& equations, int fields, bool in_basis_of_element) {
  return {.fields = fields,
          .parts = static_cast<int>(equations.parts.size()),
          .fields_of_a_part = static_cast<int>(std::ranges::max(equations.parts, {}, &std::vector<int>::size).size()),
          .operands = static_cast<int>(equations.operands.size()),
          .element_invariants = count_of(equations.element_invariants),
          .face_invariants = count_of(equations.face_invariants),
          .has_normals = !in_basis_of_element};
}

TileSizes::TileSizes(const Schedule::Tiles& schedule, const EquationCounts& equations, int N, Dtype of_precision,
                     const MirrorTiling* mirrored)
    : tiles(schedule),
      precision(of_precision),
      nodes(node_count(N)),
      fields(equations.fields),
      parts(schedule.parts == Schedule::Parts::apart ? equations.parts : 1),
      fields_of_a_part(schedule.parts == Schedule::Parts::apart ? equations.fields_of_a_part : equations.fields),
      tile_elements(schedule.elements == 8 ? 8 : 16),
      tile_nodes(128 / tile_elements) {
  const int tile_rows = schedule.elements / tile_elements;
  are_shared_evenly =
      tile_rows > 0 && schedule.elements % tile_elements == 0 && schedule.warps % (tile_rows * parts) == 0;
  if (!are_shared_evenly) return;
  const int vector = 16 / static_cast<int>(size_of(precision));
  warps_a_tile_row = schedule.warps / (tile_rows * parts);
  tiles_of_nodes = mirrored != nullptr ? static_cast<int>(mirrored->tiles(tile_nodes).size())
                                       : ceil_divide(node_count(N), tile_nodes);
  tiles_a_warp = ceil_divide(tiles_of_nodes, warps_a_tile_row);
  place_traces(equations, N, mirrored);

  const bool by_face = schedule.fluxes == Schedule::Tiles::Fluxes::by_face;
  numbers_at_once = by_face ? 1 : vector;
  values_of_an_element = round_up(equations.element_invariants, numbers_at_once);
  values_of_a_face = round_up((equations.has_normals ? 3 : 0) + equations.face_invariants, numbers_at_once);
  const int values = values_of_an_element + 4 * values_of_a_face;
  invariant_row = by_face ? round_up(values, vector) : row_apart(values);

  count_matrices(N, mirrored);
  const StateLayout layout({schedule}, precision, 1, fields, node_count(N));
  const int element_size = layout.block_values / layout.block_elements;
  rows = schedule.rows == Schedule::Tiles::Rows::blocked
             ? SharedRows{.size = element_size, .run = schedule.elements, .gap = 0}
             : shared_rows(schedule.elements, element_size, vector,
                           {.values = 1, .items_a_row = 4, .most_without_gaps = 1});
  const int an_element = trace_row + (multiplies_first() ? 0 : operand_row) + invariant_row + 4;
  const int all = rows.offset(schedule.elements) + schedule.elements * an_element + 24 + operators.shared_values();
  shared_bytes = static_cast<std::size_t>(all) * size_of(precision) + arrival_bytes;
}

void TileSizes::place_traces(const EquationCounts& equations, int N, const MirrorTiling* mirrored) {
  const bool shares_operands = tiles.operands != Schedule::Tiles::Operands::of_each_warp;
  flux_offsets = offsets_of_fluxes(tiles, face_node_count(N), !equations.has_normals);
  operands_a_node = shares_operands ? equations.operands : 0;
  if (mirrored == nullptr) {
    fluxes_of_a_field = flux_offsets.count();
    traces_read = (fields - 1) * fluxes_of_a_field + step_columns * steps(fluxes_of_a_field);
    trace_row = row_apart(traces_read);
    operand_nodes = shares_operands ? round_up(node_count(N), 4) : 0;
    operand_row = shares_operands ? row_apart(operands_a_node * operand_nodes) : 0;
    return;
  }
  fluxes_of_a_field = mirrored->face_nodes.count;
  traces_read = fields * fluxes_of_a_field;
  operand_nodes = mirrored->nodes.count;
  row_of_operands = row_apart(std::max(operands_a_node, fields) * operand_nodes);
  trace_row = row_apart(traces_read);
  if (multiplies_first()) trace_row = std::max(trace_row, row_of_operands);
  operand_row = multiplies_first() ? trace_row : row_of_operands;
}

void TileSizes::count_matrices(int N, const MirrorTiling* mirrored) {
  if (mirrored != nullptr) {
    const MirrorTile& last = mirrored->tiles(tile_nodes).back();
    derivative_matrices = last.first_D + 1;
    for (int axis = 0; axis < 3; ++axis) derivative_matrices += mirrored->nodes.steps_of(last.kind ^ axis);
    lift_matrices = last.first_lift + mirrored->face_nodes.steps_of(last.kind) + 1;
  } else {
    derivative_matrices = 3 * (tiles_a_warp * warps_a_tile_row * steps(node_count(N)) + 1);
    lift_matrices = tiles_a_warp * warps_a_tile_row * steps(fluxes_of_a_field) + 1;
  }
  const int values_a_matrix = tile_nodes * step_columns * (factor_form() == FactorForm::tf32_parts ? 2 : 1);
  operators = {.from = tiles.operators,
               .precision = precision,
               .D_values = derivative_matrices * values_a_matrix,
               .LIFT_values = lift_matrices * values_a_matrix};
}

FactorForm TileSizes::factor_form() const {
  if (tiles.products == Schedule::Tiles::Products::multiply_add) return FactorForm::plain;
  return precision == Dtype::float32 ? FactorForm::tf32_parts : FactorForm::whole;
}

Fit fits(const TileSizes& sizes, const core::DeviceInfo* device) {
  const Schedule::Tiles& s = sizes.tiles;
  if (!sizes.are_shared_evenly) {
    return {
        "tiles need 8 or a multiple of 16 elements a group, and warps a multiple of elements / 16 x parts computed "
        "apart"};
  }
  if (s.rows == Schedule::Tiles::Rows::blocked && s.multiplies_mirror_sums()) {
    return {"only the elements of a group are stored as a block, and not for mirror sums"};
  }
  if (s.multiplies_mirror_sums() && (!s.fetches_in_turn() || s.fluxes != Schedule::Tiles::Fluxes::by_node)) {
    return {"with mirror sums matrices are fetched in turn and fluxes computed by node"};
  }
  if (s.operators == Schedule::Operators::registers)
    return {"matrices are kept in registers with a work-item a node only"};
  if (Fit tables = tables_fit(sizes.operators.bytes_of_tables()); !tables) return tables;
  if (s.products == Schedule::Tiles::Products::tensor_cores && device != nullptr) {
    if (Fit cores = tensor_cores_fit(sizes.precision, *device); !cores) return cores;
  }
  return group_fits({.items = sizes.items(), .shared_bytes = sizes.shared_bytes, .resident_groups = s.resident_groups},
                    device);
}

}  // namespace maxwell_dg::dg
