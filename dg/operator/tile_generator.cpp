#include "dg/operator/tile_generator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>

#include "core/round_up.hpp"
#include "dg/kernels/kernel_texts.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/operator/affine_map.hpp"
#include "dg/operator/kernel_code.hpp"
#include "dg/operator/lifting.hpp"
#include "dg/operator/outside_state.hpp"
#include "dg/operator/stage_kernels.hpp"
#include "dg/operator/tile_factors.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Component = FaceTraces::Component;
using namespace rtcg::syntax;

namespace {

constexpr int steps_a_sum = 8;  // where sums are cut in many steps
constexpr int first_order_of_sums_apart = 7;
constexpr int most_fluxes_unrolled = 15;
constexpr int last_order_of_state_ahead = 4;  // announced to L2 for a later group: by 1 % faster at order 3
constexpr std::size_t arrival_bytes = 16;     // on the chip, of what counts the copies that have arrived

struct SignedField {
  int index{};
  bool is_negative{};
};

/// Of an expression that is nothing but a field, or minus one.
std::optional<SignedField> as_field(const Expr& e) {
  const bool is_negative = e.op() == Op::negate;
  const Expr& inner = is_negative ? e.arguments().front() : e;
  if (inner.op() != Op::symbol || inner.symbol().kind != Kind::field) return std::nullopt;
  return SignedField{.index = inner.symbol().index, .is_negative = is_negative};
}

}  // namespace

TileGenerator::TileGenerator(const LoweredSystem& lowered, Options options)
    : FusedGenerator(lowered, std::move(options)),
      tile_elements_(options_.schedule.elements_per_group == 8 ? 8 : 16),
      tile_nodes_(128 / tile_elements_),
      places_(places_of_fluxes()) {
  const Schedule& s = options_.schedule;
  const int rows = s.elements_per_group / tile_elements_, parts = static_cast<int>(contracted_.parts.size());
  if (s.slicing != Schedule::Slicing::element_tiles || s.elements_per_group % tile_elements_ != 0 || rows < 1 ||
      s.warps % (rows * parts) != 0) {
    throw std::invalid_argument("schedule " + s.name() +
                                ": element_tiles needs 8 or a multiple of 16 elements a group, and warps a multiple of "
                                "elements / 16 x parts computed apart");
  }
  if (is_blocked() && (s.multiplies_mirror_sums() || s.block_elements != s.elements_per_group)) {
    throw std::invalid_argument("schedule " + s.name() +
                                ": only the elements of a group are stored as a block, and not for mirror sums");
  }
  rows_ = is_blocked() ? RowsOnChip{.size = element_size_, .run = elements_per_group(), .gap = 0}
                       : rows_on_chip(elements_per_group(), element_size_, vector_size(),
                                      {.values = 1, .items_a_row = 4, .most_without_gaps = 1});
  warps_a_tile_row_ = s.warps / (rows * parts);
  if (!s.multiplies_mirror_sums()) operators().require_room(s.name());
}

int TileGenerator::tiles_a_warp() const {
  return ceil_divide(tiles_of_nodes(), warps_a_tile_row_);
}

int TileGenerator::traces_read() const {
  return (fields_ - 1) * fluxes_of_a_field() + step_columns * steps(fluxes_of_a_field());
}

int TileGenerator::trace_row() const {
  return row_apart(traces_read());
}

int TileGenerator::operand_nodes() const {
  return operands_on_chip() ? round_up(Np_, 4) : 0;
}

int TileGenerator::operand_row() const {
  return operands_on_chip() ? row_apart(operands_a_node() * operand_nodes()) : 0;
}

int TileGenerator::operands_a_node() const {
  return operands_on_chip() ? static_cast<int>(contracted_.operands.size()) : 0;
}

FluxPlaces TileGenerator::places_of_fluxes() const {
  const FluxPlaces padded = FluxPlaces::padded(Nfp_), dense = FluxPlaces::dense(Nfp_, by_face());
  const bool adds_steps = steps(padded.count()) > steps(dense.count());
  if (!by_face() && !options_.schedule.multiplies_mirror_sums() && !adds_steps) return padded;
  return basis_ ? FluxPlaces::in_whole_steps(Nfp_, by_face()) : dense;
}

bool TileGenerator::sums_apart() const {
  return tensor_cores() && options_.precision == Dtype::float32 && options_.N >= first_order_of_sums_apart;
}

std::size_t TileGenerator::on_chip_bytes() const {
  const int an_element = trace_row() + (multiplies_first() ? 0 : operand_row()) + invariant_row() + 4;
  const int values =
      rows_.place(elements_per_group()) + elements_per_group() * an_element + 24 + operators().values_on_chip();
  return static_cast<std::size_t>(values) * real_bytes() + arrival_bytes;
}

int TileGenerator::invariant_row() const {
  const int values = values_of_an_element() + 4 * values_of_a_face();
  return by_face() ? round_up(values, vector_size()) : row_apart(values);
}

int TileGenerator::values_of_an_element() const {
  return round_up(count_of(contracted_.element_invariants), numbers_at_once());
}

int TileGenerator::values_of_a_face() const {
  return round_up((rows_have_normals() ? 3 : 0) + count_of(contracted_.face_invariants), numbers_at_once());
}

/// The normal and invariants of a face; by whole vectors where those hold four numbers.
Block TileGenerator::load_face() const {
  const bool by_vectors = numbers_at_once() == 4;
  Block block;
  for (int v = 0; by_vectors && v < values_of_a_face() / 4; ++v) {
    block += Declare("const vector", "face" + std::to_string(v),
                     "*(SHARED_PART const vector*)(of_face + " + std::to_string(4 * v) + ")");
  }
  const auto value = [&](int i) {
    return by_vectors ? "face" + std::to_string(i / 4) + "." + std::string(1, "xyzw"[i % 4]) : at("of_face", i);
  };
  const int normal = rows_have_normals() ? 3 : 0;
  if (normal > 0) block += Line("const real nx = " + value(0) + ", ny = " + value(1) + ", nz = " + value(2) + ";");
  for (const Symbol& s : symbols_of(contracted_.flux, Kind::invariant)) {
    block += declare_symbol(s, value(normal + s.index), "real");
  }
  return block;
}

Block TileGenerator::declare_faces() const {
  if (!basis_) return {};
  Block block{Declare("const int32", "axis_a", "AXIS_A(face)"), Declare("const int32", "axis_b", "AXIS_B(face)"),
              Declare("const int32", "axis_c", "AXIS_C(face)"),
              Declare("const bool", "is_slanted", "face == SLANTED_FACE")};
  block += traces_.declare_other_face("neighbour", "face");
  block += traces_.declare_edges(contracted_.flux, std::nullopt,
                                 [](const std::string& i) { return "of_element[e * INVARIANT_ROW + " + i + "]"; });
  return block;
}

Block TileGenerator::normal_of_wall() const {
  if (!basis_) return {Line("const boundary_real n[3] = {nx, ny, nz};")};
  Block block = FaceTraces::load_metric();
  block += Line("boundary_real n[3];");
  block += For("axis", "0", "3", {Assign("n[axis]", scaled_normal("axis"))});
  block += Declare("const boundary_real", "length", "sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])");
  block += For("axis", "0", "3", {Assign("n[axis]", "length", "/=")});
  return block;
}

Block TileGenerator::load_inside() const {
  const auto value = [this](int first, Component c) {
    static const std::map<Component, std::string> on_face{
        {Component::a, "axis_a"}, {Component::b, "axis_b"}, {Component::c, "axis_c"}};
    const auto axis = on_face.find(c);
    const std::string field = axis != on_face.end()
                                  ? "(" + number(first) + " + " + axis->second + ")"
                                  : number(first + static_cast<int>(c) - static_cast<int>(Component::r));
    return "q[" + field + " * " + field_stride() + "]";
  };
  return traces_.declare_inside(contracted_.flux, value, std::nullopt);
}

/// Kept on the chip.
std::string TileGenerator::make_operands() const {
  if (!operands_on_chip()) return "";
  const std::vector<Expr>& operands = contracted_.operands;
  Block node{Line("const int32 e = i / NP, n = i % NP;"),
             Line("SHARED_PART real* const operand = operands + e * OPERAND_ROW + n;")};
  const std::set<Symbol> invariants = symbols_of(operands, Kind::invariant);
  if (!invariants.empty()) node += Line("SHARED_PART const real* const h = of_element + e * INVARIANT_ROW;");
  for (const Symbol& s : invariants) {
    node += declare_symbol(s, at("h", s.index), "real");
  }
  for (const Symbol& s : symbols_of(operands, Kind::field)) {
    node += declare_symbol(s, "fields[ROW_PLACE(e) + " + std::to_string(s.index) + " * " + field_stride() + " + n]",
                           "real");
  }
  const PrintedCode code = print(operands);
  append(node, code.lines);
  for (std::size_t g = 0; g < operands.size(); ++g) {
    node += Assign("operand[" + number(g) + " * OPERAND_NODES]", code.results[g]);
  }
  return text_of({Comment("Operands of the derivatives, once for all warps."),
                  For("i", "item", "present * NP", node, For::Unrolling::as_compiled, "GROUP_ITEMS"),
                  Line("BARRIER();")});
}

std::string TileGenerator::store_results() const {
  // The rhs of absent elements is zero where it is stored: what was computed for them are any numbers.
  const std::string is_present = " && first_row + TILE_ELEMENT(TILE_SIDE(j), lane) < present";
  return rtcg::substitute(kernels::stage_results,
                          {{"and_is_present", is_blocked() ? is_present : ""},
                           {"store_parts", each_part([this](const Part& p) { return store_of(p); })}});
}

/// Of both rows of elements that an item reads for the left factor.
Block TileGenerator::load_operand_invariants(const Part& part) const {
  if (operands_on_chip()) return {};
  std::vector<Expr> operands;
  for (const int g : part.operands) operands.push_back(contracted_.operands[static_cast<std::size_t>(g)]);
  Block block;
  for (const Symbol& s : symbols_of(operands, Kind::invariant)) {
    const std::string i = std::to_string(s.index);
    const auto of_side = [&](const std::string& side) {
      return "of_element[(first_row + LEFT_ELEMENT(" + side + ", lane)) * INVARIANT_ROW + " + i + "]";
    };
    block += Line("const real " + name_in_kernel(s) + "[2] = {" + of_side("0") + ", " + of_side("1") + "};");
  }
  return block;
}

/// Operand by operand, so that few registers hold operands at a time.
Block TileGenerator::volume_products(const Part& part, const std::string& matrices) const {
  Block block;
  for (const int g : part.operands) {
    Block step{Line("left_matrix operand;")};
    const std::span operand(&contracted_.operands[index(g)], 1);
    if (operands_on_chip()) {
      step += Line("load_left(&operand, operands + first_row * OPERAND_ROW + " + number(g) +
                   " * OPERAND_NODES + step * 8, OPERAND_ROW, lane);");
    } else if (const auto field = as_field(operand.front()); field && reads_rows_of_left()) {
      step += Line("load_left_row(&operand, fields + ROW_PLACE(first_row + LEFT_ROW(lane)) + " + number(field->index) +
                   " * " + field_stride() + " + step * 8 + LEFT_ROW_COLUMN(lane), " +
                   (field->is_negative ? "true" : "false") + ");");
    } else {
      Block load{
          Line("SHARED_PART const real* const q = fields + ROW_PLACE(first_row + LEFT_ELEMENT(LEFT_SIDE(i), lane)) + "
               "step * 8 + LEFT_COLUMN(i, lane);")};
      for (const Symbol& s : symbols_of(operand, Kind::field)) {
        load += declare_symbol(s, "q[" + std::to_string(s.index) + " * " + field_stride() + "]", "real");
      }
      const PrintedCode code = print(operand, [](const Symbol& s) {
        return name_in_kernel(s) + (s.kind == Kind::invariant ? "[LEFT_SIDE(i)]" : "");
      });
      append(load, code.lines);
      load += Line("set_left(&operand, i, " + code.results[0] + ");");
      step += For("i", "0", "LEFT", load, For::Unrolling::full);
    }
    Block multiply;
    for (std::size_t w = 0; w < part.contractions.size(); ++w) {
      const Contraction& contraction = contracted_.contractions[static_cast<std::size_t>(part.contractions[w])];
      for (const Contraction::Term& term : contraction.terms) {
        if (term.operand != g) continue;
        const std::string matrix = at(matrices + "[i]", term.axis), sum = at("sums[i]", static_cast<int>(w));
        const std::string minus = "minus" + std::to_string(w);
        if (term.negative) multiply += Declare("const right_matrix", minus, "negative(&" + matrix + ")");
        multiply += Line("multiply_add(" + sum + ", &operand, &" + (term.negative ? minus : matrix) + ");");
      }
    }
    step += For("i", "0", "TILES", multiply, For::Unrolling::full);
    block += Scope(step);
  }
  return block;
}

Block TileGenerator::lift_products(const Part& part, const Run& run, const std::string& lift) const {
  Block block{Declare("SHARED_PART const real* const", "flux_step", "traces + first_row * TRACE_ROW + step * 8")};
  for (const int l : run.fields) {
    block +=
        Scope({Line("left_matrix flux;"),
               Line("load_left(&flux, flux_step + " + number(part.fields[index(l)]) + " * FLUXES, TRACE_ROW, lane);"),
               For("i", "0", "TILES", {Line("multiply_add(" + at("sums[i]", l) + ", &flux, &" + lift + "[i][0]);")},
                   For::Unrolling::full)});
  }
  return block;
}

StepMatrices TileGenerator::derivatives() const {
  return {.name = "matrices",
          .steps = "VOLUME_STEPS",
          .a_step = 3,
          .are_ahead = options_.schedule.matrices == Schedule::Matrices::ahead};
}

StepMatrices TileGenerator::lifts() const {
  return {.name = "lift", .steps = "LIFT_STEPS", .a_step = 1, .are_ahead = !options_.schedule.fetches_in_turn()};
}

std::string TileGenerator::equations(const Part& part, const std::vector<Expr>& equations,
                                     const std::function<std::string(int)>& of_sum) const {
  Block at_node, of_element;
  const std::set<Symbol> fields = symbols_of(equations, Kind::field),
                         invariants = symbols_of(equations, Kind::invariant),
                         sums = symbols_of(equations, Kind::contraction);
  if (!fields.empty() || !invariants.empty()) {
    of_element += Declare("const int32", "e", "first_row + TILE_ELEMENT(side, lane)");
  }
  if (!invariants.empty()) {
    of_element += Declare("SHARED_PART const real* const", "h", "of_element + e * INVARIANT_ROW");
  }
  for (const Symbol& s : invariants) of_element += declare_symbol(s, at("h", s.index), "real");
  if (!fields.empty()) {
    at_node += Declare("const int32", "n", "(first_tile + i * WARPS_A_TILE_ROW) * TILE_NODES + TILE_NODE(j, lane)");
  }
  for (const Symbol& s : fields) {
    at_node += declare_symbol(s, "fields[ROW_PLACE(e) + " + std::to_string(s.index) + " * " + field_stride() + " + n]",
                              "real");
  }
  for (const Symbol& s : sums) at_node += declare_symbol(s, of_sum(s.index), "real");
  const PrintedCode code = print(equations);
  append(at_node, code.lines);
  for (std::size_t f = 0; f < code.results.size(); ++f) {
    at_node += Assign(at("rhs[i]", static_cast<int>(f)) + "[j]", code.results[f]);
  }
  return rtcg::substitute(
      kernels::stage_equations,
      {{"fields", part.names}, {"of_element", text_of(of_element)}, {"equations", text_of(at_node)}});
}

std::string TileGenerator::volume_of(const Part& part) const {
  return rtcg::substitute(kernels::stage_volume,
                          {{"fields", part.names},
                           {"contractions", std::to_string(std::max<std::size_t>(part.contractions.size(), 1))},
                           {"load_operand_invariants", text_of(load_operand_invariants(part))},
                           {"memory", operators().memory()},
                           {"D", operators().of("D")},
                           {"fetch", text_of(derivatives().fetch(0))},
                           {"steps", derivatives().loop([&](const std::string& matrices) {
                              return volume_products(part, matrices);
                            })}}) +
         volume_terms(part, part.volume);
}

std::string TileGenerator::volume_terms(const Part& part, const std::vector<Expr>& terms) const {
  return equations(part, terms,
                   [&](int contraction) { return at("w[i]", place_in(part.contractions, contraction)) + "[j]"; });
}

std::string TileGenerator::equations_of(const Part& part) const {
  std::vector<Expr> of_part;
  for (const int f : part.fields) of_part.push_back(equation_of_sums(f));
  return equations(part, of_part, [&](int sum) { return at("rhs[i]", place_in(part.fields, sum)) + "[j]"; });
}

std::vector<TileGenerator::Run> TileGenerator::lift_runs(const Part& part) const {
  std::vector<int> all(part.fields.size());
  std::iota(all.begin(), all.end(), 0);
  const int all_steps = steps(fluxes_of_a_field()), steps_a_face = places_.places_a_face / step_columns;
  if (!basis_) return {{.first = 0, .end = all_steps, .fields = all}};
  std::vector<Run> runs;
  if (steps_a_face > 0) {
    const Lifting lifting = lifting_in(*basis_, contracted_);
    for (int face = 0; face < 4; ++face) {
      runs.push_back({.first = face * steps_a_face, .end = (face + 1) * steps_a_face, .fields{}});
      std::ranges::copy_if(all, std::back_inserter(runs.back().fields), [&](int l) {
        return std::ranges::count(lifting.sums[index(part.fields[index(l)])], face, &Lifting::Term::face) > 0;
      });
    }
  }
  if (places_.other_nodes() > 0) runs.push_back({.first = 4 * steps_a_face, .end = all_steps, .fields = all});
  return runs;
}

Block TileGenerator::add_lifted(const Part& part) const {
  Block add;
  for (std::size_t l = 0; l < part.fields.size(); ++l) {
    const std::string f = number(l), sum = at("sums[i]", static_cast<int>(l)) + "[j]";
    add += Assign(at("rhs[i]", static_cast<int>(l)) + "[j]", sum, "+=");
    add += Assign(sum, "0");
  }
  return {For("j", "0", "4", {For("i", "0", "TILES", add, For::Unrolling::full)}, For::Unrolling::full)};
}

std::string TileGenerator::lift_of(const Part& part) const {
  const std::vector<Run> runs = lift_runs(part);
  std::string text;
  for (std::size_t r = 0, begin_of_sums = 0; r < runs.size(); ++r) {
    const Run& run = runs[r];
    const bool is_last = r + 1 == runs.size();
    const bool end_sums = is_last || (sums_apart() && runs[r + 1].end - runs[begin_of_sums].first > steps_a_sum);
    text += rtcg::substitute(
        kernels::stage_lift_run,
        {{"first_step", number(run.first)},
         {"end_step", number(run.end)},
         {"steps_a_sum", number(sums_apart() ? steps_a_sum : run.end - run.first)},
         {"steps", lifts().loop([&](const std::string& lift) { return lift_products(part, run, lift); })},
         {"add_sums", end_sums && sums_apart() ? text_of(add_lifted(part)) : ""}});
    if (end_sums) begin_of_sums = r + 1;
  }
  return rtcg::substitute(kernels::stage_lift, {{"fields", part.names},
                                                {"memory", operators().memory()},
                                                {"LIFT", operators().of("LIFT")},
                                                {"fetch", text_of(lifts().fetch(0))},
                                                {"runs", text}});
}

std::string TileGenerator::store_of(const Part& part) const {
  Block block;
  for (std::size_t l = 0; l < part.fields.size(); ++l) {
    const std::string f = number(part.fields[l]), sums = at("rhs[i]", static_cast<int>(l));
    block += Line("STORE_RESULTS(result + " + f + " * " + field_stride() + ", " + sums + ", j);");
  }
  return rtcg::syntax::print(block);
}

std::string TileGenerator::each_part(const std::function<std::string(const Part&)>& text_of_part) const {
  std::string text;
  for (std::size_t p = 0; p < contracted_.parts.size(); ++p) {
    const std::string body = rtcg::substitute("  ${body}", {{"body", text_of_part(part(p))}});
    text += (p == 0 ? "" : "\n") + ("if (part == " + std::to_string(p) + ") {\n" + body) + "}";
  }
  return text;
}

Statement TileGenerator::put_on_slanted(const std::string& place, const std::string& value) const {
  return If("is_slanted || LIFT_READS(face, FLUX_NODE(number, j))", {Assign(place, "is_slanted ? " + value + " : 0")});
}

Block TileGenerator::fluxes() const {
  Block block;
  const PrintedCode code = print(contracted_.flux);
  append(block, code.lines);
  const auto place = [](const std::string& field) { return "trace[" + field + " * FLUXES]"; };
  if (!basis_) {
    for (int f = 0; f < fields_; ++f) block += Assign(place(number(f)), code.results[index(f)]);
    return block;
  }
  for (const auto& [variance, f] : basis_->quantities) {
    const std::string first = "flux_" + number(f), second = "flux_" + number(f + 1);
    const auto along = [&](const std::string& axis) { return place("(" + number(f) + " + " + axis + ")"); };
    block += Declare("const real", first, code.results[index(f)]);
    if (variance == ElementBasis::Variance::scalar) {
      block += Assign(place(number(f)), first);
    } else if (variance == ElementBasis::Variance::covariant) {
      block += Declare("const real", second, code.results[index(f) + 1]);
      block += Assign(along("axis_a"), first);
      block += Assign(along("axis_b"), second);
      block += put_on_slanted(along("axis_c"), "-(" + first + " + " + second + ")");
    } else {
      block += put_on_slanted(along("axis_a"), first);
      block += put_on_slanted(along("axis_b"), first);
      block += Assign(along("axis_c"), "is_slanted ? " + first + " : -" + first);
    }
  }
  return block;
}

int TileGenerator::faces_a_pass() const {
  const int faces = 4 * elements_per_group(), most = group_items() / std::min(group_items(), places_.items_a_face());
  const int whole = std::min(faces, static_cast<int>(std::bit_floor(static_cast<unsigned>(most))));
  const int passes = ceil_divide(faces, most);
  return faces % whole == 0 && faces / whole <= passes + 1 ? whole : ceil_divide(faces, passes);
}

std::string TileGenerator::definitions() const {
  return std::string(kernels::stage_nodes);
}

std::string TileGenerator::padding() const {
  return std::string(kernels::stage_padding);
}

std::string TileGenerator::padding_of_fields() const {
  if (is_blocked()) return "";  // a block comes whole
  return "for (int32 i = ROW_PLACE(e) + (e < present ? ELEMENT_SIZE : 0); i < ROW_PLACE(e + 1); ++i) fields[i] = 0;";
}

std::string TileGenerator::padding_of_results() const {
  if (!is_blocked()) return "for (int32 i = NFIELDS * NP; i < ELEMENT_SIZE; ++i) traces[ROW_PLACE(e) + i] = 0;";
  return "for (int32 i = e < present ? NFIELDS * NP : 0; i < NFIELDS * NP; ++i) {\n"
         "  traces[ROW_PLACE(e) + i / NP * FIELD_STRIDE + i % NP] = 0;\n"
         "}";
}

std::string TileGenerator::load_neighbour() const {
  return "const int32 neighbour = connected[e * 4 + face];";
}

std::string TileGenerator::wall_of_item(const std::string& wall) const {
  return rtcg::substitute("if (neighbour < 0) {\n  ${wall}\n}", {{"wall", wall}});
}

std::string TileGenerator::gather() const {
  if (!by_node()) {
    return rtcg::substitute(kernels::stage_gather, {{"places_of_node", text_of(traces_.places_of_node())},
                                                    {"neighbour", "connected[face]"},
                                                    {"side_or_node", "side = other & 3"},
                                                    {"place_of_neighbour", place_of_neighbour("4")},
                                                    {"gather_traces", text_of(traces_.copy("FLUXES"))}});
  }
  return rtcg::substitute(
      kernels::stage_gather,
      {{"places_of_node", "// The neighbour's node is read: which face of it this is matters only for its components."},
       {"neighbour", "(int32)face < present * 4 ? outside_nodes[((int64)first * 4 + face) * NFP + node] : -1"},
       {"side_or_node", std::string("other_node = other % NP") + (basis_ ? ", side = connected[face] & 3" : "")},
       {"place_of_neighbour", place_of_neighbour("NP")},
       {"gather_traces", text_of(traces_.copy_of_node("FLUXES"))}});
}

std::string TileGenerator::place_of_neighbour(const std::string& numbers_an_element) const {
  return place_of_element((is_blocked() ? "(other / " : "(int64)(other / ") + numbers_an_element + ")");
}

std::string TileGenerator::announce_more() const {
  if (!by_node()) return "";
  return "\n    FETCH_SOON(outside_nodes + (int64)later * 4 * NFP, ELEMENTS * 4 * NFP * (int32)sizeof(int32));";
}

TileOperators TileGenerator::operators() const {
  const int values_a_matrix = tile_nodes_ * step_columns * (factor_form() == FactorForm::tf32_parts ? 2 : 1);
  return {.from = options_.schedule.operators,
          .precision = options_.precision,
          .D_values = derivative_matrices() * values_a_matrix,
          .LIFT_values = lift_matrices() * values_a_matrix};
}

int TileGenerator::derivative_matrices() const {
  return 3 * (tiles_a_warp() * warps_a_tile_row_ * steps(Np_) + 1);
}

int TileGenerator::lift_matrices() const {
  return tiles_a_warp() * warps_a_tile_row_ * steps(fluxes_of_a_field()) + 1;
}

rtcg::KernelSource TileGenerator::stage() const {
  const auto place = [](const std::string& slot) { return "trace[" + slot + " * FLUXES]"; };
  const auto place_of_row = [&](int row, int) { return place(number(row)); };
  const auto own = [this](const std::string& f) { return "q[" + f + " * " + field_stride() + "]"; };
  const std::string gather = this->gather();
  const std::string wall =
      rtcg::substitute(kernels::stage_wall, {{"normal_of_wall", text_of(normal_of_wall())},
                                             {"inside_of_wall", text_of(traces_.inside_of_wall(own))},
                                             {"replace_outside", text_of(traces_.replace_outside(place))}});
  const TileOperators operators = this->operators();
  const std::string absent_values = is_blocked() ? " + (ELEMENTS - present) * ELEMENT_SIZE" : "";
  const std::string text = rtcg::substitute(
      kernels::stage_tiles, {{"outside_state", outside_state_function(lowered_, options_.precision)},
                             {"outside_nodes", by_node() ? " GLOBAL const int32* RESTRICT outside_nodes," : ""},
                             {"matrices_on_chip", operators.declare_on_chip()},
                             {"more_values", absent_values + operators.more_values()},
                             {"order_of_fields", is_blocked() ? "[field][element][node]" : "[element][field][node]"},
                             {"rows_end", is_blocked() ? "ELEMENTS * ELEMENT_SIZE" : "ROW_PLACE(ELEMENTS)"},
                             {"elements_moved", elements_moved()},
                             {"padding_of_fields", padding_of_fields()},
                             {"padding_of_results", padding_of_results()},
                             {"copy_matrices", operators.copy()},
                             {"padding", padding()},
                             {"gather_first", gather_first(gather)},
                             {"gather_last", gather_last(gather)},
                             {"basis_changes", basis_changes()},
                             {"prepare", prepare(values_of_an_element(), values_of_a_face())},
                             {"volume_parts", each_part([this](const Part& p) { return volume_of(p); })},
                             {"lift_parts", each_part([this](const Part& p) { return lift_of(p); })},
                             {"equations", basis_ ? each_part([this](const Part& p) { return equations_of(p); }) : ""},
                             {"declare_faces", text_of(declare_faces())},
                             {"before_fluxes", before_fluxes(wall)},
                             {"look_up_flux", look_up_flux()},
                             {"load_neighbour", load_neighbour()},
                             {"wall_of_item", wall_of_item(wall)},
                             {"after_fluxes", after_fluxes()},
                             {"store_results", store_results()},
                             {"load_inside", text_of(load_inside())},
                             {"load_outside", text_of(traces_.declare_outside(contracted_.flux, place_of_row))},
                             {"fluxes", text_of(fluxes())},
                             {"make_operands", make_operands()},
                             {"load_face", text_of(load_face())},
                             {"announcements", announcements(announce_more())},
                             {"residuals", residuals()},
                             {"update_rows", update_rows()}});
  return source(sizes() + multiplication() + "\n" + definitions() + text);
}

std::string TileGenerator::multiplication() const {
  const TileOperators operators = this->operators();
  const auto reference = [this] { return ReferenceElement::make(options_.N); };
  const std::string tables =
      operators.tables([&] { return derivative_factors(reference()); }, [&] { return lift_factors(reference()); });
  const std::string multiply = tensor_cores()
                                   ? std::string(kernels::tensor_cores)
                                   : rtcg::substitute(kernels::multiply_add, {{"memory", operators.memory()}});
  return std::string(kernels::tile_shape) + tables + multiply;
}

std::string TileGenerator::sizes() const {
  const int faces_a_pass = this->faces_a_pass();
  // Neighbours looked up before the first copy: 1 to 2 % faster at low orders in single precision, else slower.
  const int passes_at_once = options_.precision != Dtype::float32 || options_.N > 4 ? 1 : options_.N == 4 ? 2 : 4;
  const int vectors_an_item = ceil_divide(elements_per_group() * element_size_ / vector_size(), group_items());
  return prologue({{"UPDATE_BATCH", vectors_an_item <= 8 ? vectors_an_item : 5},
                   {"STATE_AHEAD", options_.N <= last_order_of_state_ahead ? 1 : 0},
                   {"TRACE_ROW", trace_row()},
                   {"PLACES_A_PASS", std::min(group_items(), places_.items_a_face())},
                   {"FACES_A_PASS", faces_a_pass},
                   {"PASSES_AT_ONCE", passes_at_once},
                   {"ALL_PASSES_ARE_WHOLE", 4 * elements_per_group() % (passes_at_once * faces_a_pass) == 0 ? 1 : 0},
                   {"TRACES_READ", traces_read()},
                   {"FLUXES_BY_FACE", by_face() ? 1 : 0},
                   {"FLUXES_UNROLLED", by_face() && Nfp_ <= most_fluxes_unrolled ? Nfp_ : 1},
                   {"MULTIPLIES_FIRST", multiplies_first() ? 1 : 0},
                   {"FLUXES", fluxes_of_a_field()},
                   {"STEPS_UNROLLED", options_.schedule.matrices == Schedule::Matrices::by_twos ? 2 : 1},
                   {"NODES_IN_HALVES", order_of_nodes() == NodeOrder::in_halves ? 1 : 0},
                   {"PLACES_A_FACE", places_.places_a_face},
                   {"ITEMS_A_FACE", places_.items_a_face()},
                   {"OTHER_NODES", places_.other_nodes()},
                   {"WARPS_A_PART", options_.schedule.warps / static_cast<int>(contracted_.parts.size())},
                   {"TILE_ELEMENTS", tile_elements_},
                   {"TILES", tiles_a_warp()},
                   {"OPERANDS", operands_a_node()},
                   {"OPERAND_NODES", operand_nodes()},
                   {"OPERAND_ROW", operand_row()},
                   {"SUMS_APART", sums_apart() ? 1 : 0},
                   {"VOLUME_STEPS_A_SUM", sums_apart() ? steps_a_sum : steps(Np_)},
                   {"WARPS_A_TILE_ROW", warps_a_tile_row_},
                   {"VOLUME_STEPS", steps(Np_)},
                   {"LIFT_STEPS", steps(fluxes_of_a_field())}});
}

std::vector<double> TileGenerator::derivative_factors(const ReferenceElement& reference) const {
  return factors({&reference.Dr, &reference.Ds, &reference.Dt});
}

std::vector<double> TileGenerator::lift_factors(const ReferenceElement& reference) const {
  Eigen::MatrixXd lift = Eigen::MatrixXd::Zero(Np_, fluxes_of_a_field());
  for (int face = 0; face < 4; ++face) {
    for (int node = 0; node < Nfp_; ++node) {
      lift.col(places_.place(face, node)) = reference.LIFT.col(face * Nfp_ + node);
    }
  }
  return factors({&lift});
}

FactorForm TileGenerator::factor_form() const {
  if (!tensor_cores()) return FactorForm::plain;
  return options_.precision == Dtype::float32 ? FactorForm::tf32_parts : FactorForm::whole;
}

std::vector<double> TileGenerator::factors(const std::vector<const Eigen::MatrixXd*>& matrices) const {
  return tile_factors(matrices, tile_nodes_, tiles_a_warp() * warps_a_tile_row_, factor_form(), order_of_nodes());
}

}  // namespace maxwell_dg::dg
