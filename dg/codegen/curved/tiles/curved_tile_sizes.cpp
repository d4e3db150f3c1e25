#include "dg/codegen/curved/tiles/curved_tile_sizes.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/round_up.hpp"
#include "dg/codegen/fused_generator.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

namespace {

constexpr int padding = 4;  // a vector of single precision, two of double
constexpr int first_order_of_long_sums = 6;
constexpr std::size_t bytes_of_neighbours = 4 * sizeof(int);  // in shared memory, of an element

const rtcg::Value& word(const CurvedVariant& variant, const std::string& name) {
  const auto found = variant.find(name);
  if (found == variant.end()) {
    throw std::invalid_argument("a stage of curved elements by tiles '" + rtcg::written(variant) + "': no " + name);
  }
  return found->second;
}

int number_of(const CurvedVariant& variant, const std::string& name) {
  return static_cast<int>(word(variant, name).integer());
}

}  // namespace

CurvedTiles CurvedTiles::of(const CurvedVariant& variant) {
  return {.has_tensor_cores = word(variant, "products").text() == "tensor",
          .elements = number_of(variant, "elements"),
          .warps = number_of(variant, "warps"),
          .tiles_of_points = number_of(variant, "points"),
          .tiles_of_nodes = number_of(variant, "nodes"),
          .resident_groups = number_of(variant, "resident"),
          .keeps_metric = word(variant, "metric").text() == "kept"};
}

CurvedVariant CurvedTiles::variant() const {
  return {{"kind", "tiles"},
          {"products", has_tensor_cores ? "tensor" : "plain"},
          {"elements", elements},
          {"warps", warps},
          {"points", tiles_of_points},
          {"nodes", tiles_of_nodes},
          {"resident", resident_groups},
          {"metric", keeps_metric ? "kept" : "read"}};
}

CurvedTileSizes::CurvedTileSizes(const CurvedTiles& chosen, const CurvedProblem& problem, const CurvedSystem& system,
                                 const CurvedProducts& products)
    : tiles(chosen),
      precision(problem.options.precision),
      tile_elements(chosen.elements == 8 ? 8 : 16),
      tile_nodes(128 / tile_elements),
      tile_rows(chosen.elements / tile_elements),
      nodes(problem.reference.Np),
      points(problem.quadrature.volume_points()),
      face_nodes(problem.reference.Nfp),
      face_points(problem.quadrature.face_points()),
      fields(static_cast<int>(problem.lowered.volume.size())),
      traces(static_cast<int>(system.traces(0).size())),
      parts(static_cast<int>(products.parts.size())),
      field_nodes(round_up(nodes, padding)),
      jump_nodes(round_up(face_nodes, padding)),
      flux_points(round_up(face_points, padding)),
      change_points(round_up(points, padding)),
      point_tasks(ceil_divide(points, tile_nodes * chosen.tiles_of_points)),
      node_tasks(ceil_divide(nodes, tile_nodes * chosen.tiles_of_nodes)),
      face_tiles(ceil_divide(face_points, tile_nodes)),
      changes(fields * field_nodes + end_of(nodes, field_nodes)),
      media_of_element(static_cast<int>(system.contracted.element_invariants.size()) - system.at_points.of_element),
      media_of_face(static_cast<int>(system.contracted.face_invariants.size()) - system.at_points.of_face),
      sums_apart(chosen.has_tensor_cores && precision == Dtype::float32 &&
                 problem.options.N >= first_order_of_long_sums) {
  for (const auto& values : products.fluxes) flux_values = std::max(flux_values, static_cast<int>(values.size()));
  const int of_jumps = traces * 4 * jump_nodes + end_of(face_nodes, jump_nodes);
  const int of_changes = fields * change_points + end_of(points, change_points);
  fluxes = changes + std::max(of_jumps, of_changes);
  const int of_fluxes = flux_values * 4 * flux_points + end_of(face_points, flux_points);
  metric = fluxes + std::max(of_fluxes, fields * field_nodes);
  media = metric + (tiles.keeps_metric ? 9 * field_nodes : 0);
  row = row_apart(media + media_of_element + 4 * media_of_face);
}

std::size_t CurvedTileSizes::shared_bytes() const {
  return index(tiles.elements * row) * size_of(precision);
}

FactorForm CurvedTileSizes::factor_form() const {
  if (!tiles.has_tensor_cores) return FactorForm::plain;
  return precision == Dtype::float32 ? FactorForm::tf32_parts : FactorForm::whole;
}

std::vector<std::pair<std::string, int>> CurvedTileSizes::names(const CurvedSystem& system) const {
  constexpr int steps_a_sum = 8, steps_unrolled = 2, groups_ahead = 64;
  return {{"VECTOR", 16 / static_cast<int>(size_of(precision))},
          {"TILE_ELEMENTS", tile_elements},
          {"TILE_ROWS", tile_rows},
          {"GROUP_ELEMENTS", tiles.elements},
          {"WARPS", tiles.warps},
          {"GROUP_OF_TILES", items()},
          {"RESIDENT", tiles.resident_groups},
          {"AHEAD", groups_ahead},
          {"PARTS", parts},
          {"TRACES", traces},
          {"FLUX_VALUES", flux_values},
          {"POINTS", points},
          {"FACE_POINTS", face_points},
          {"NUMBERS_AT_ONCE", numbers_at_once()},
          {"POINT_NUMBERS", round_up(std::max(1, system.at_points.of_element), numbers_at_once())},
          {"FACE_NUMBERS", round_up(std::max(1, system.at_points.of_face), numbers_at_once())},
          {"MEDIA_NUMBERS", media_of_element + 4 * media_of_face},
          {"MEDIA_OF_ELEMENT", media_of_element},
          {"MEDIA_OF_FACE", media_of_face},
          {"POINT_PLACES", round_up(points, tile_nodes)},
          {"FACE_PLACES", round_up(face_points, tile_nodes)},
          {"FIELD_NODES", field_nodes},
          {"FIELD_END", end_of(nodes, field_nodes)},
          {"JUMP_NODES", jump_nodes},
          {"JUMP_END", end_of(face_nodes, jump_nodes)},
          {"JUMP_ROUNDS", ceil_divide(4 * tiles.elements * jump_nodes, items())},
          {"FLUX_POINTS", flux_points},
          {"FLUX_END", end_of(face_points, flux_points)},
          {"CHANGE_POINTS", change_points},
          {"CHANGE_END", end_of(points, change_points)},
          {"JUMPS", changes},
          {"CHANGES", changes},
          {"FLUXES", fluxes},
          {"METRIC", metric},
          {"MEDIA", media},
          {"ROW", row},
          {"VOLUME_STEPS", steps(nodes)},
          {"JUMP_STEPS", steps(face_nodes)},
          {"FLUX_STEPS", steps(face_points)},
          {"CHANGE_STEPS", steps(points)},
          {"FACE_TILES", face_tiles},
          {"TILES_OF_POINTS", tiles.tiles_of_points},
          {"TILES_OF_NODES", tiles.tiles_of_nodes},
          {"POINT_TASKS", point_tasks},
          {"NODE_TASKS", node_tasks},
          {"STEPS_A_SUM", steps_a_sum},
          {"STEPS_UNROLLED", steps_unrolled}};
}

Fit fits(const CurvedTileSizes& sizes, const core::DeviceInfo* device) {
  const CurvedTiles& tiles = sizes.tiles;
  if (tiles.elements != 8 && (tiles.elements < 16 || tiles.elements % 16 != 0)) {
    return {"tiles need 8 or a multiple of 16 elements a group"};
  }
  if (tiles.has_tensor_cores && device != nullptr) {
    if (Fit cores = tensor_cores_fit(sizes.precision, *device); !cores) return cores;
  }
  return group_fits({.items = sizes.items(),
                     .shared_bytes = sizes.shared_bytes() + index(tiles.elements) * bytes_of_neighbours,
                     .resident_groups = tiles.resident_groups},
                    device);
}

}  // namespace maxwell_dg::dg
