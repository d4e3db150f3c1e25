// TileGenerator: operands, products of tiles, and what becomes of their sums.
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <span>

#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/tiles/kernel_texts.hpp"
#include "dg/codegen/tiles/tile_generator.hpp"
#include "dg/lowering/lifting.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using namespace rtcg::syntax;

namespace {

struct SignedField {
  int index{};
  bool is_negative{};
};

/// Of an expression that is nothing but a field, or minus one.
std::optional<SignedField> as_field(const Expr& e) {
  const bool is_negative = e.op() == Op::negate;
  const Expr& inner = is_negative ? e.arguments().front() : e;
  const Symbol* q = inner.op() == Op::symbol ? of_kind(inner.symbol(), Kind::field) : nullptr;
  if (q == nullptr) return std::nullopt;
  return SignedField{.index = q->index, .is_negative = is_negative};
}

}  // namespace

/// Kept in shared memory.
std::string TileGenerator::make_operands() const {
  if (!shares_operands()) return "";
  const std::vector<Expr>& operands = contracted_.operands;
  Block node{Line("const int32 e = i / NP, n = i % NP;"),
             Line("SHARED_PART real* const operand = operands + e * OPERAND_ROW + n;")};
  const std::set<LoweredSymbol> invariants = symbols_of(operands, Lowered::invariant);
  if (!invariants.empty()) node += Line("SHARED_PART const real* const h = of_element + e * INVARIANT_ROW;");
  for (const LoweredSymbol& s : invariants) {
    node += declare_symbol(s, at("h", s.number), "real");
  }
  for (const Symbol& s : symbols_of(operands, Kind::field)) {
    node += declare_symbol(s, "fields[ROW_OFFSET(e) + " + std::to_string(s.index) + " * " + field_stride() + " + n]",
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

/// Of both rows of elements that an item reads for the left factor.
Block TileGenerator::load_operand_invariants(const Part& part) const {
  if (shares_operands()) return {};
  std::vector<Expr> operands;
  for (const int g : part.operands) operands.push_back(contracted_.operands[static_cast<std::size_t>(g)]);
  Block block;
  for (const LoweredSymbol& s : symbols_of(operands, Lowered::invariant)) {
    const std::string i = std::to_string(s.number);
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
    if (shares_operands()) {
      step += Line("load_left(&operand, operands + first_row * OPERAND_ROW + " + number(g) +
                   " * OPERAND_NODES + step * 8, OPERAND_ROW, lane);");
    } else if (const auto field = as_field(operand.front()); field && reads_rows_of_left()) {
      step += Line("load_left_row(&operand, fields + ROW_OFFSET(first_row + LEFT_ROW(lane)) + " + number(field->index) +
                   " * " + field_stride() + " + step * 8 + LEFT_ROW_COLUMN(lane), " +
                   (field->is_negative ? "true" : "false") + ");");
    } else {
      Block load{
          Line("SHARED_PART const real* const q = fields + ROW_OFFSET(first_row + LEFT_ELEMENT(LEFT_SIDE(i), lane)) + "
               "step * 8 + LEFT_COLUMN(i, lane);")};
      for (const Symbol& s : symbols_of(operand, Kind::field)) {
        load += declare_symbol(s, "q[" + std::to_string(s.index) + " * " + field_stride() + "]", "real");
      }
      const PrintedCode code = print(operand, [](const AnySymbol& s) {
        return name_in_kernel(s) + (of_kind(s, Lowered::invariant) ? "[LEFT_SIDE(i)]" : "");
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
          .are_ahead = slicing().matrices == Schedule::Tiles::Matrices::ahead};
}

StepMatrices TileGenerator::lifts() const {
  return {.name = "lift", .steps = "LIFT_STEPS", .a_step = 1, .are_ahead = !slicing().fetches_in_turn()};
}

std::string TileGenerator::equations(const Part& part, const std::vector<Expr>& equations,
                                     const std::function<std::string(int)>& of_sum) const {
  Block at_node, of_element;
  const std::set<Symbol> fields = symbols_of(equations, Kind::field);
  const std::set<LoweredSymbol> invariants = symbols_of(equations, Lowered::invariant),
                                sums = symbols_of(equations, Lowered::contraction);
  if (!fields.empty() || !invariants.empty()) {
    of_element += Declare("const int32", "e", "first_row + TILE_ELEMENT(side, lane)");
  }
  if (!invariants.empty()) {
    of_element += Declare("SHARED_PART const real* const", "h", "of_element + e * INVARIANT_ROW");
  }
  for (const LoweredSymbol& s : invariants) of_element += declare_symbol(s, at("h", s.number), "real");
  if (!fields.empty()) {
    at_node += Declare("const int32", "n", "(first_tile + i * WARPS_A_TILE_ROW) * TILE_NODES + TILE_NODE(j, lane)");
  }
  for (const Symbol& s : fields) {
    at_node += declare_symbol(s, "fields[ROW_OFFSET(e) + " + std::to_string(s.index) + " * " + field_stride() + " + n]",
                              "real");
  }
  for (const LoweredSymbol& s : sums) at_node += declare_symbol(s, of_sum(s.number), "real");
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
  const int all_steps = steps(sizes_.fluxes_of_a_field), steps_a_face = sizes_.places.places_a_face / step_columns;
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
  if (sizes_.places.other_nodes() > 0) runs.push_back({.first = 4 * steps_a_face, .end = all_steps, .fields = all});
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

std::string TileGenerator::each_part(const std::function<std::string(const Part&)>& text_of_part) const {
  std::string text;
  for (std::size_t p = 0; p < contracted_.parts.size(); ++p) {
    const std::string body = rtcg::substitute("  ${body}", {{"body", text_of_part(part(p))}});
    text += (p == 0 ? "" : "\n") + ("if (part == " + std::to_string(p) + ") {\n" + body) + "}";
  }
  return text;
}

std::string TileGenerator::store_results() const {
  // The rhs of absent elements is zero where it is stored: what was computed for them are any numbers.
  const std::string is_present = " && first_row + TILE_ELEMENT(TILE_SIDE(j), lane) < present";
  return rtcg::substitute(kernels::stage_results,
                          {{"and_is_present", is_blocked() ? is_present : ""},
                           {"store_parts", each_part([this](const Part& p) { return store_of(p); })}});
}

std::string TileGenerator::store_of(const Part& part) const {
  Block block;
  for (std::size_t l = 0; l < part.fields.size(); ++l) {
    const std::string f = number(part.fields[l]), sums = at("rhs[i]", static_cast<int>(l));
    block += Line("STORE_RESULTS(result + " + f + " * " + field_stride() + ", " + sums + ", j);");
  }
  return rtcg::syntax::print(block);
}

std::string TileGenerator::padding_of_results() const {
  if (!is_blocked()) return "for (int32 i = NFIELDS * NP; i < ELEMENT_SIZE; ++i) traces[ROW_OFFSET(e) + i] = 0;";
  return "for (int32 i = e < present ? NFIELDS * NP : 0; i < NFIELDS * NP; ++i) {\n"
         "  traces[ROW_OFFSET(e) + i / NP * FIELD_STRIDE + i % NP] = 0;\n"
         "}";
}

}  // namespace maxwell_dg::dg
