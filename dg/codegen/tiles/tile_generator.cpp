#include "dg/codegen/tiles/tile_generator.hpp"

#include <algorithm>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/outside_state.hpp"
#include "dg/codegen/tiles/kernel_texts.hpp"
#include "dg/codegen/tiles/tile_factors.hpp"
#include "dg/mesh/mesh.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using namespace rtcg::syntax;

namespace {

constexpr int first_order_of_sums_apart = 7;
constexpr int most_fluxes_unrolled = 15;
constexpr int last_order_of_state_ahead = 4;  // prefetched to L2 for a later group: by 1 % faster at order 3

}  // namespace

TileGenerator::TileGenerator(const LoweredSystem& lowered, Options options, const MirrorTiling* mirrored)
    : FusedGenerator(lowered, std::move(options)),
      sizes_(slicing(), EquationCounts::of(contracted_, fields_, basis_.has_value()), options_.N, options_.precision,
             mirrored) {
  require(fits(sizes_, nullptr), options_.schedule);
  rows_ = sizes_.rows;
}

bool TileGenerator::sums_apart() const {
  return tensor_cores() && options_.precision == Dtype::float32 && options_.N >= first_order_of_sums_apart;
}

std::string TileGenerator::definitions() const {
  return std::string(kernels::stage_by_node);
}

std::string TileGenerator::padding() const {
  return std::string(kernels::stage_padding);
}

std::string TileGenerator::padding_of_fields() const {
  if (is_blocked()) return "";  // a block comes whole
  return "for (int32 i = ROW_OFFSET(e) + (e < present ? ELEMENT_SIZE : 0); i < ROW_OFFSET(e + 1); ++i) fields[i] = 0;";
}

rtcg::KernelSource TileGenerator::stage() const {
  const auto place = [](const std::string& slot) { return "trace[" + slot + " * FLUXES]"; };
  const auto place_of_row = [&](int row, int) { return place(number(row)); };
  const auto own = [this](const std::string& f) { return "q[" + f + " * " + field_stride() + "]"; };
  const std::string gather = this->gather();
  const std::string wall =
      rtcg::substitute(kernels::stage_boundary, {{"normal_of_boundary", text_of(normal_of_boundary())},
                                                 {"inside_of_boundary", text_of(traces_.inside_of_boundary(own))},
                                                 {"replace_outside", text_of(traces_.replace_outside(place))}});
  // Texts that elements_in_parallel has, too.
  static const rtcg::Template definitions_of_sizes = kernel_template("dg/codegen/stage_sizes.kernel"),
                              outside_state = kernel_template("dg/codegen/outside_state.kernel"),
                              basis = kernel_template("dg/codegen/basis.kernel"),
                              prepare = kernel_template("dg/codegen/prepare.kernel"),
                              prefetch = kernel_macro("dg/codegen/stage_update.kernel", "prefetch(outside_nodes)"),
                              residuals = kernel_macro("dg/codegen/stage_update.kernel", "load_residuals()"),
                              update = kernel_macro("dg/codegen/stage_update.kernel", "update_rows()");
  const rtcg::Record stage = stage_values(sizes());
  const auto print = [](const rtcg::Template& part, const rtcg::Record& values) {
    return part.render(values, rtcg::Template::LineDirectives::left_out);
  };
  const TileOperators& operators = this->operators();
  const std::string absent_values = is_blocked() ? " + (ELEMENTS - present) * ELEMENT_SIZE" : "";
  const std::string text = rtcg::substitute(
      kernels::stage_tiles,
      {{"range_parameters", range_.parameters()},
       {"range_end", range_.end()},
       {"first_group", range_.first_group("ELEMENTS")},
       {"outside_state", print(outside_state, {{"outside", outside_state_values(lowered_, options_.precision)}})},
       {"outside_nodes", by_node() ? " GLOBAL const int32* RESTRICT outside_nodes," : ""},
       {"shared_matrices", operators.declare_shared()},
       {"more_values", absent_values + operators.more_values()},
       {"order_of_fields", is_blocked() ? "[field][element][node]" : "[element][field][node]"},
       {"rows_end", is_blocked() ? "ELEMENTS * ELEMENT_SIZE" : "ROW_OFFSET(ELEMENTS)"},
       {"elements_moved", elements_moved()},
       {"padding_of_fields", padding_of_fields()},
       {"padding_of_results", padding_of_results()},
       {"copy_matrices", operators.copy()},
       {"padding", padding()},
       {"gather_first", gather_first(gather)},
       {"gather_last", gather_last(gather)},
       {"basis_changes", print(basis, {{"stage", stage}, {"basis_changes", basis_changes()}})},
       {"prepare", print(prepare, {{"prepare", prepare_values(sizes_.values_of_an_element, sizes_.values_of_a_face)}})},
       {"volume_parts", each_part([this](const Part& p) { return volume_of(p); })},
       {"lift_parts", each_part([this](const Part& p) { return lift_of(p); })},
       {"equations", basis_ ? each_part([this](const Part& p) { return equations_of(p); }) : ""},
       {"declare_faces", text_of(declare_faces())},
       {"before_fluxes", before_fluxes(wall)},
       {"look_up_flux", look_up_flux()},
       {"load_neighbour", load_neighbour()},
       {"boundary_of_item", boundary_of_item(wall)},
       {"after_fluxes", after_fluxes()},
       {"store_results", store_results()},
       {"load_inside", text_of(load_inside())},
       {"load_outside", text_of(traces_.declare_outside(contracted_.flux, place_of_row))},
       {"fluxes", text_of(fluxes())},
       {"make_operands", make_operands()},
       {"load_face", text_of(load_face())},
       {"prefetch", print(prefetch, {{"stage", stage}, {"outside_nodes", by_node()}})},
       {"residuals", print(residuals, {{"stage", stage}})},
       {"update_rows", print(update, {{"stage", stage}})}});
  return source(print(definitions_of_sizes, {{"stage", stage}}) + "\n" + multiplication() + "\n" + definitions() +
                text);
}

std::string TileGenerator::multiplication() const {
  const TileOperators& operators = this->operators();
  const auto reference = [this] { return ReferenceElement::make(options_.N); };
  const std::string tables =
      operators.tables([&] { return derivative_factors(reference()); }, [&] { return lift_factors(reference()); });
  const std::string multiply = tensor_cores()
                                   ? std::string(kernels::tensor_cores)
                                   : rtcg::substitute(kernels::multiply_add, {{"memory", operators.memory()}});
  return std::string(kernels::tile_shape) + tables + multiply;
}

std::vector<std::pair<std::string, int>> TileGenerator::sizes() const {
  const int faces_a_pass = this->faces_a_pass();
  // Neighbours looked up before the first copy: 1 to 2 % faster at low orders in single precision, else slower.
  const int passes_at_once = options_.precision != Dtype::float32 || options_.N > 4 ? 1 : options_.N == 4 ? 2 : 4;
  const int vectors_an_item = ceil_divide(elements_per_group() * element_size_ / vector_size(), group_items());
  return {{"UPDATE_BATCH", vectors_an_item <= 8 ? vectors_an_item : 5},
          {"STATE_AHEAD", options_.N <= last_order_of_state_ahead ? 1 : 0},
          {"TRACE_ROW", sizes_.trace_row},
          {"PLACES_A_PASS", std::min(group_items(), sizes_.places.items_a_face())},
          {"FACES_A_PASS", faces_a_pass},
          {"PASSES_AT_ONCE", passes_at_once},
          {"ALL_PASSES_ARE_WHOLE", 4 * elements_per_group() % (passes_at_once * faces_a_pass) == 0 ? 1 : 0},
          {"TRACES_READ", sizes_.traces_read},
          {"FLUXES_BY_FACE", by_face() ? 1 : 0},
          {"FLUXES_UNROLLED", by_face() && Nfp_ <= most_fluxes_unrolled ? Nfp_ : 1},
          {"MULTIPLIES_FIRST", sizes_.multiplies_first() ? 1 : 0},
          {"FLUXES", sizes_.fluxes_of_a_field},
          {"STEPS_UNROLLED", slicing().matrices == Schedule::Tiles::Matrices::by_twos ? 2 : 1},
          {"NODES_IN_HALVES", order_of_nodes() == NodeOrder::in_halves ? 1 : 0},
          {"PLACES_A_FACE", sizes_.places.places_a_face},
          {"ITEMS_A_FACE", sizes_.places.items_a_face()},
          {"OTHER_NODES", sizes_.places.other_nodes()},
          {"WARPS_A_PART", slicing().warps / static_cast<int>(contracted_.parts.size())},
          {"TILE_ELEMENTS", sizes_.tile_elements},
          {"TILES", sizes_.tiles_a_warp},
          {"OPERANDS", sizes_.operands_a_node},
          {"OPERAND_NODES", sizes_.operand_nodes},
          {"OPERAND_ROW", sizes_.operand_row},
          {"SUMS_APART", sums_apart() ? 1 : 0},
          {"VOLUME_STEPS_A_SUM", sums_apart() ? steps_a_sum : steps(Np_)},
          {"WARPS_A_TILE_ROW", sizes_.warps_a_tile_row},
          {"VOLUME_STEPS", steps(Np_)},
          {"LIFT_STEPS", steps(sizes_.fluxes_of_a_field)}};
}

std::vector<double> TileGenerator::derivative_factors(const ReferenceElement& reference) const {
  return factors({&reference.Dr, &reference.Ds, &reference.Dt});
}

std::vector<double> TileGenerator::lift_factors(const ReferenceElement& reference) const {
  Eigen::MatrixXd lift = Eigen::MatrixXd::Zero(Np_, sizes_.fluxes_of_a_field);
  for (int face = 0; face < 4; ++face) {
    for (int node = 0; node < Nfp_; ++node) {
      lift.col(sizes_.places.place(face, node)) = reference.LIFT.col(face * Nfp_ + node);
    }
  }
  return factors({&lift});
}

std::vector<double> TileGenerator::factors(const std::vector<const Eigen::MatrixXd*>& matrices) const {
  return tile_factors(matrices, sizes_.tile_nodes, sizes_.tiles_a_warp * sizes_.warps_a_tile_row, factor_form(),
                      order_of_nodes());
}

}  // namespace maxwell_dg::dg
