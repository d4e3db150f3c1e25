// TileGenerator: the sizes and the printed equations that stage_tiles.kernel is given.
#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <span>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/codegen/tiles/tile_generator.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/lowering/lifting.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/symbolic/code_printer.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using List = rtcg::Value::List;

namespace {

constexpr int most_fluxes_unrolled = 15;
constexpr int last_order_of_state_ahead = 4;  // prefetched to L2 for a later group: by 1 % faster at order 3

/// How many faces the items gather in a pass. If whole passes (the same faces in each) need at most one pass more than
/// the fewest possible, they are taken, since they need no test of which faces exist; else as few faces as the fewest
/// passes need.
int faces_a_pass(int faces, int most) {
  const int whole = std::min(faces, static_cast<int>(std::bit_floor(static_cast<unsigned>(most))));
  const int passes = ceil_divide(faces, most);
  return faces % whole == 0 && faces / whole <= passes + 1 ? whole : ceil_divide(faces, passes);
}

}  // namespace

std::vector<std::pair<std::string, int>> TileGenerator::sizes() const {
  const int faces = 4 * elements_per_group(),
            face_items_a_pass = std::min(group_items(), sizes_.flux_offsets.items_a_face());
  const int faces_a_pass = dg::faces_a_pass(faces, group_items() / face_items_a_pass);
  // Neighbours looked up before the first copy: 1 to 2 % faster at low orders in single precision, else slower.
  const int passes_at_once = options_.precision != Dtype::float32 || options_.N > 4 ? 1 : options_.N == 4 ? 2 : 4;
  const int vectors_an_item = ceil_divide(elements_per_group() * element_size_ / vector_size(), group_items());
  std::vector<std::pair<std::string, int>> sizes{
      {"UPDATE_BATCH", vectors_an_item <= 8 ? vectors_an_item : 5},
      {"STATE_AHEAD", options_.N <= last_order_of_state_ahead ? 1 : 0},
      {"TRACE_ROW", sizes_.trace_row},
      {"FACE_ITEMS_A_PASS", face_items_a_pass},
      {"FACES_A_PASS", faces_a_pass},
      {"PASSES_AT_ONCE", passes_at_once},
      {"ALL_PASSES_ARE_WHOLE", faces % (passes_at_once * faces_a_pass) == 0 ? 1 : 0},
      {"TRACES_READ", sizes_.traces_read},
      {"FLUXES_BY_FACE", by_face() ? 1 : 0},
      {"FLUXES_UNROLLED", by_face() && Nfp_ <= most_fluxes_unrolled ? Nfp_ : 1},
      {"FLUXES", sizes_.fluxes_of_a_field},
      {"STEPS_UNROLLED", slicing().matrices == Schedule::Tiles::Matrices::by_twos ? 2 : 1},
      {"OFFSETS_A_FACE", sizes_.flux_offsets.offsets_a_face},
      {"ITEMS_A_FACE", sizes_.flux_offsets.items_a_face()},
      {"OTHER_NODES", sizes_.flux_offsets.other_nodes()},
      {"WARPS_A_PART", slicing().warps / static_cast<int>(contracted_.parts.size())},
      {"TILE_ELEMENTS", sizes_.tile_elements},
      {"TILES", sizes_.tiles_a_warp},
      {"OPERANDS", sizes_.operands_a_node},
      {"OPERAND_NODES", sizes_.operand_nodes},
      {"OPERAND_ROW", sizes_.operand_row},
      {"VOLUME_STEPS_A_SUM", sums_apart() ? steps_a_sum : steps(Np_)},
      {"WARPS_A_TILE_ROW", sizes_.warps_a_tile_row},
      {"VOLUME_STEPS", steps(Np_)},
      {"LIFT_STEPS", steps(sizes_.fluxes_of_a_field)}};
  const auto more = matrices_->sizes();
  sizes.insert(sizes.end(), more.begin(), more.end());
  return sizes;
}

rtcg::Record TileGenerator::part_values(const Part& part) const {
  List operands;
  std::vector<Expr> values, equations;
  for (const int g : part.operands) {
    operands.emplace_back(operand_values(part, g));
    values.push_back(contracted_.operands[index(g)]);
  }
  for (std::size_t l = 0; basis_ && l < part.fields.size(); ++l) {
    const Expr& equation = contracted_.equations.at(index(part.fields[l]));
    // Mirror sums are not values at nodes: what the equation has of the fields is added when results are at nodes
    // again.
    equations.push_back(has_mirror_sums() ? without_fields(equation) : equation);
  }
  std::vector<AnySymbol> invariants = symbols_by_kind(values);
  std::erase_if(invariants, [](const AnySymbol& s) { return of_kind(s, Lowered::invariant) == nullptr; });
  return {{"fields", values_of(part.fields)},
          {"contractions", values_of(part.contractions)},
          {"sums", std::max<std::size_t>(part.contractions.size(), 1)},
          {"volume", printed(has_mirror_sums() ? of_contractions(part) : part.volume)},
          {"invariants", values_of(invariants)},
          {"operands", std::move(operands)},
          {"runs", has_mirror_sums() ? List{} : lift_runs(part)},
          {"equations", printed(equations)}};
}

rtcg::Record TileGenerator::operand_values(const Part& part, int number) const {
  List terms;
  for (std::size_t w = 0; w < part.contractions.size(); ++w) {
    for (const Contraction::Term& term : contracted_.contractions[index(part.contractions[w])].terms) {
      if (term.operand != number) continue;
      terms.emplace_back(rtcg::Record{{"w", w}, {"axis", term.axis}, {"negative", term.negative}});
    }
  }
  rtcg::Record values{{"number", number}, {"terms", std::move(terms)}};
  if (shares_operands()) return values;
  const std::span operand(&contracted_.operands[index(number)], 1);
  // There is an instruction that loads rows of numbers of 32 bits, if fields begin at multiples of 16 bytes.
  const bool reads_rows = sizes_.factor_form() == FactorForm::tf32_parts && Np_ % vector_size() == 0;
  const std::optional<SignedField> field = reads_rows ? as_field(operand.front()) : std::nullopt;
  values["field"] = field ? field->index : -1;
  values["is_negative"] = field && field->is_negative;
  values["value"] = printed(operand);
  return values;
}

List TileGenerator::lift_runs(const Part& part) const {
  struct Run {
    int first{}, end{};
    std::vector<int> fields;
  };
  const int all_steps = steps(sizes_.fluxes_of_a_field),
            steps_a_face = sizes_.flux_offsets.offsets_a_face / step_columns;
  std::vector<Run> runs;
  if (basis_ && steps_a_face > 0) {
    const Lifting lifting = lifting_in(*basis_, contracted_);
    for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
      runs.push_back({.first = face * steps_a_face, .end = (face + 1) * steps_a_face, .fields{}});
      std::ranges::copy_if(part.fields, std::back_inserter(runs.back().fields), [&](int f) {
        return std::ranges::count(lifting.sums[index(f)], face, &Lifting::Term::face) > 0;
      });
    }
  }
  const int first_of_all_faces = basis_ ? 4 * steps_a_face : 0;
  if (!basis_ || sizes_.flux_offsets.other_nodes() > 0) {
    runs.push_back({.first = first_of_all_faces, .end = all_steps, .fields = part.fields});
  }
  List list;
  for (std::size_t r = 0, begin_of_sums = 0; r < runs.size(); ++r) {
    const bool is_last = r + 1 == runs.size();
    const bool ends_sums = is_last || (sums_apart() && runs[r + 1].end - runs[begin_of_sums].first > steps_a_sum);
    list.emplace_back(rtcg::Record{{"first", runs[r].first},
                                   {"end", runs[r].end},
                                   {"steps_a_sum", sums_apart() ? steps_a_sum : runs[r].end - runs[r].first},
                                   {"ends_sums", ends_sums && sums_apart()},
                                   {"fields", values_of(runs[r].fields)}});
    if (ends_sums) begin_of_sums = r + 1;
  }
  return list;
}

rtcg::Record TileGenerator::operator_values() const {
  const TileOperators& operators = sizes_.operators;
  List D, LIFT;
  if (operators.are_tables()) {
    const ReferenceElement reference = ReferenceElement::make(options_.N);
    D = values_of(derivative_factors(reference));
    LIFT = values_of(lift_factors(reference));
  }
  return {{"memory", operators.memory()},         {"D", operators.of("D")},
          {"LIFT", operators.of("LIFT")},         {"shared_values", operators.shared_values()},
          {"D_values", operators.D_values},       {"LIFT_values", operators.LIFT_values},
          {"are_tables", operators.are_tables()}, {"D_table", std::move(D)},
          {"LIFT_table", std::move(LIFT)},        {"type", options_.precision}};
}

rtcg::Record TileGenerator::mirror_values() const {
  if (!has_mirror_sums()) return {};
  std::vector<ElementBasis::Quantity> quantities;
  if (basis_) quantities = basis_->quantities;
  for (int f = 0; !basis_ && f < fields_; ++f) quantities.push_back({ElementBasis::Variance::scalar, f});
  List sets, vanishes;
  for (const auto& [variance, first] : quantities) {
    const bool is_vector = variance != ElementBasis::Variance::scalar;
    List turned;
    for (std::size_t a = 0; is_vector && a < 3; ++a) {
      const Expr sum = combination(lifted_along_mirror_axes(variance).at(a), coordinate);
      const PrintedCode code =
          print(std::span(&sum, 1), [](const AnySymbol& s) { return std::string(1, "rst"[std::get<Symbol>(s).axis]); });
      turned.emplace_back(rtcg::Record{{"lines", values_of(code.lines)}, {"result", code.results.front()}});
    }
    sets.emplace_back(rtcg::Record{{"first", first}, {"count", is_vector ? 3 : 1}, {"turned", std::move(turned)}});
  }
  const std::vector<Expr> of_node = this->of_node();
  for (const Expr& e : of_node) vanishes.emplace_back(e.is_constant(0));
  rtcg::Record values = matrices_->tables();
  values["sets"] = std::move(sets);
  values["of_node"] = printed(of_node);
  values["vanishes_at_node"] = std::move(vanishes);
  return values;
}

}  // namespace maxwell_dg::dg
