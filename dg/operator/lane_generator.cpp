#include "dg/operator/lane_generator.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/round_up.hpp"
#include "dg/kernels/kernel_texts.hpp"
#include "dg/operator/kernel_code.hpp"
#include "dg/operator/outside_state.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/symbolic/program.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using namespace rtcg::syntax;

namespace {

/// Up to this order the arithmetic at some nodes takes less time than memory does: residuals and the new state are
/// announced a block ahead.
constexpr int last_order_of_short_steps = 3;

/// State, new state and residuals that a last-level cache is likely to hold until the next stage. Where they are
/// larger, the new state is stored past the caches: its lines need not be read before they are written. But a line
/// whose parts come one by one goes to memory part by part.
constexpr std::size_t cached_bytes = 16UL << 20, line_bytes = 64;

/// The i-th node of those at once: w3_1 is the contraction 3 there.
std::string of_node(const std::string& name, std::size_t i, int node) {
  return name + number(i) + "_" + number(node);
}

/// Where a block's row of a field at a node stands from the first on, as StateLayout has it.
std::string row(int field, const std::string& node) {
  return "STATE(0, " + number(field) + ", " + node + ")";
}

/// Nodes from `first` up to `end` in a list, so many at once.
struct Run {
  int first, end, at_once;
};

/// A list of nodes in steps of at most so many, as even as they can be: those of one more node first.
std::vector<Run> even_steps(std::size_t nodes, int at_most) {
  const auto count = static_cast<int>(nodes);
  if (count == 0) return {};
  const int steps = ceil_divide(count, at_most), least = count / steps, end_of_more = count % steps * (least + 1);
  std::vector<Run> runs;
  if (end_of_more > 0) runs.push_back({0, end_of_more, least + 1});
  runs.push_back({end_of_more, count, least});
  return runs;
}

/// [step][column][of `matrices`][row]
void arrange(std::vector<double>& factors, const std::vector<const Eigen::MatrixXd*>& matrices,
             const std::vector<int>& rows, int at_most) {
  for (const Run& run : even_steps(rows.size(), at_most)) {
    for (int first = run.first; first < run.end; first += run.at_once) {
      const std::span some = std::span(rows).subspan(index(first), index(run.at_once));
      for (Eigen::Index column = 0; column < matrices.front()->cols(); ++column) {
        for (const Eigen::MatrixXd* matrix : matrices) {
          for (const int row : some) factors.push_back((*matrix)(row, column));
        }
      }
    }
  }
}

}  // namespace

LaneGenerator::LaneGenerator(const LoweredSystem& lowered, Options options)
    : FusedGenerator(lowered, std::move(options)),
      prologue_(lowered, options_),
      nodes_(DerivativeNodes::well_conditioned(ReferenceElement::make(options_.N))),
      new_state_(how_to_store_new_state()) {
  const Schedule& s = options_.schedule;
  if (s.slicing != Schedule::Slicing::lanes_in_vectors ||
      (s.lanes != 2 && s.lanes != 4 && s.lanes != 8 && s.lanes != 16) || s.lanes < lanes_at_once() ||
      s.nodes_at_once < 1) {
    throw std::invalid_argument("schedule " + s.name() +
                                ": lanes_in_vectors needs 2 (in double precision), 4, 8 or 16 lanes, and nodes");
  }
}

LaneGenerator::NewState LaneGenerator::how_to_store_new_state() const {
  const std::size_t state_bytes = options_.elements * index(fields_ * Np_) * real_bytes();
  if (3 * state_bytes <= cached_bytes) return NewState::cached;
  const bool rows_are_lines = index(options_.schedule.lanes) * real_bytes() % line_bytes == 0;
  return rows_are_lines ? NewState::by_rows : NewState::by_blocks;
}

int LaneGenerator::blocks_per_group() const {
  return std::clamp(512 / Np_, 1, 8);
}

std::size_t LaneGenerator::on_chip_bytes() const {
  const auto vectors = static_cast<int>(contracted_.operands.size()) * Np_ + 4 * Nfp_ * fields_ +
                       static_cast<int>(contracted_.contractions.size() * nodes_.multiplied.size()) +
                       (new_state_ == NewState::by_blocks ? fields_ * Np_ : 0);
  return static_cast<std::size_t>(vectors * options_.schedule.lanes) * real_bytes();
}

PrintedCode LaneGenerator::print_values(std::span<const Expr> outputs) const {
  return symbolic::print(
      Program(outputs),
      {.dtype = options_.precision, .type = "value", .vectors = true, .prefix = "v", .name_of = name_in_kernel});
}

Block LaneGenerator::load_invariants(std::span<const Expr> expressions) const {
  Block block;
  for (const Symbol& s : symbols_of(expressions, Kind::invariant)) block += declare_symbol(s, at("h", s.index));
  return block;
}

Block LaneGenerator::operands() const {
  Block block;
  for (const Symbol& s : symbols_of(contracted_.operands, Kind::field)) {
    block += declare_symbol(s, "q[" + row(s.index, "n") + "]");
  }
  const PrintedCode code = print_values(contracted_.operands);
  append(block, code.lines);
  for (std::size_t g = 0; g < code.results.size(); ++g) {
    block += Assign("operands[n * OPERANDS + " + number(g) + "]", code.results[g]);
  }
  return block;
}

Block LaneGenerator::load_face() const {
  Block block{Line("const value nx = of_face[0], ny = of_face[1], nz = of_face[2];")};
  for (const Symbol& s : symbols_of(contracted_.flux, Kind::invariant)) {
    block += declare_symbol(s, at("of_face", 3 + s.index));
  }
  return block;
}

Block LaneGenerator::fluxes() const {
  Block block;
  for (const Symbol& s : symbols_of(contracted_.flux, Kind::field)) {
    block += declare_symbol(s, s.side == Side::inside ? "q_m[" + row(s.index, "0") + "]"
                                                      : at("flux", place_in(lowered_.outside_fields, s.index)));
  }
  const PrintedCode code = print_values(contracted_.flux);
  append(block, code.lines);
  for (std::size_t f = 0; f < code.results.size(); ++f) block += Assign("flux[" + number(f) + "]", code.results[f]);
  return block;
}

Block LaneGenerator::gather() const {
  Block block;
  for (int l = 0; l < lanes_at_once(); ++l) {
    block += Declare("GLOBAL const real* const", "q" + number(l),
                     at("state", l) + " + " + row(0, at("nodes", l) + "[j]") + " * LANES");
  }
  for (std::size_t i = 0; i < lowered_.outside_fields.size(); ++i) {
    std::string values;
    for (int l = 0; l < lanes_at_once(); ++l) {
      values += (l > 0 ? ", q" : "q") + number(l) + "[" + row(lowered_.outside_fields[i], "0") + " * LANES]";
    }
    block += Assign("trace[" + number(i) + " * LANES / LANES_AT_ONCE]", "(lanes_at_once)(" + values + ")");
  }
  return block;
}

Block LaneGenerator::multiply(const Part& part, int count) const {
  Block column{Line("SHARED const value* const operand = operands + m * OPERANDS;")};
  for (const int g : part.operands) column += Declare("const value", "operand" + number(g), at("operand", g));
  for (int axis = 0; axis < 3; ++axis) {
    for (int i = 0; i < count; ++i) {
      const std::string entry = "d" + number(axis) + "_" + number(i);
      Block products;
      for (std::size_t w = 0; w < part.contractions.size(); ++w) {
        for (const auto& term : contracted_.contractions[static_cast<std::size_t>(part.contractions[w])].terms) {
          if (term.axis != axis) continue;
          products +=
              Assign(of_node("w", w, i), entry + " * operand" + number(term.operand), term.negative ? "-=" : "+=");
        }
      }
      if (products.empty()) continue;
      column +=
          Declare("const real", entry, "d[(m * 3 + " + number(axis) + ") * " + number(count) + " + " + number(i) + "]");
      column += products;
    }
  }
  Block block{Line("GLOBAL const real* const d = D + first * NP * 3;"), For("m", "0", "NP", std::move(column))};
  if (nodes_.interpolated.empty()) return block;
  for (std::size_t w = 0; w < part.contractions.size(); ++w) {
    for (int i = 0; i < count; ++i) {
      block += Assign("contracted[(first + " + number(i) + ") * CONTRACTIONS + " + number(w) + "]", of_node("w", w, i));
    }
  }
  return block;
}

Block LaneGenerator::interpolate(const Part& part, int count) const {
  Block node{Line("SHARED const value* const w = contracted + m * CONTRACTIONS;")};
  for (int i = 0; i < count; ++i) {
    const std::string entry = "p" + number(i);
    node += Declare("const real", entry, "p[m * " + number(count) + " + " + number(i) + "]");
    for (std::size_t w = 0; w < part.contractions.size(); ++w) {
      node += Assign(of_node("w", w, i), entry + " * w[" + number(w) + "]", "+=");
    }
  }
  return {Line("GLOBAL const real* const p = D + MULTIPLIED * NP * 3 + first * MULTIPLIED;"),
          For("m", "0", "MULTIPLIED", std::move(node))};
}

Block LaneGenerator::announce(const Part& part, int count) const {
  const std::string in_block = options_.N <= last_order_of_short_steps ? "k + 1, " : "k, ";
  Block block;
  for (int i = 0; i < count; ++i) {
    for (const int f : part.fields) {
      const std::string place = " + STATE(" + in_block + number(f) + ", n" + number(i) + "));";
      block += Line("ANNOUNCE_WRITE(RES" + place);
      if (new_state_ == NewState::cached) block += Line("ANNOUNCE_WRITE(Q_new" + place);
    }
  }
  return block;
}

std::string LaneGenerator::some_nodes(const Part& part, Nodes which, int count) const {
  const bool multiplied = which == Nodes::multiplied;
  const std::string first_of_all = multiplied ? "0" : "MULTIPLIED";
  Block declare_nodes{Line("const int32 at = " + first_of_all + " + first;")}, declare, volume, lift, update;
  for (int i = 0; i < count; ++i) {
    const std::string n = "n" + number(i), l = "l" + number(i);
    declare_nodes += Declare("const int32", n, "node_order[at + " + number(i) + "]");
    lift += Declare("const real", l, "lift[j * " + number(count) + " + " + number(i) + "]");
    Block node;
    for (const Symbol& s : symbols_of(part.volume, Kind::field)) {
      node += declare_symbol(s, "q[" + row(s.index, n) + "]");
    }
    for (std::size_t w = 0; w < part.contractions.size(); ++w) {
      declare += Declare("value", of_node("w", w, i), "0");
      node += declare_symbol({.kind = Kind::contraction, .index = part.contractions[w]}, of_node("w", w, i));
    }
    const PrintedCode code = print_values(part.volume);
    append(node, code.lines);
    for (std::size_t f = 0; f < part.fields.size(); ++f) {
      const std::string rhs = of_node("rhs", f, i), res = of_node("res", f, i);
      const std::string place = "[STATE(k, " + number(part.fields[f]) + ", " + n + ")]";
      volume += Declare("value", rhs, "0");
      node += Assign(rhs, code.results[f]);
      lift += Assign(rhs, l + " * flux[" + number(part.fields[f]) + "]", "+=");
      update += Declare("const value", res, "a * RES" + place + " + dt * " + rhs);
      update += Assign("RES" + place, res);
      const std::string new_value = "Q" + place + " + b * " + res;
      switch (new_state_) {
        case NewState::cached: update += Assign("Q_new" + place, new_value); break;
        case NewState::by_rows: update += Line("STORE_PAST_CACHES(Q_new" + place + ", " + new_value + ");"); break;
        case NewState::by_blocks: update += Assign("fresh[" + row(part.fields[f], n) + "]", new_value);
      }
    }
    volume += Scope(std::move(node));
  }
  return rtcg::substitute(kernels::stage_lanes_nodes,
                          {{"fields", part.names},
                           {"count", number(count)},
                           {"which", multiplied ? "multiplied out" : "interpolated"},
                           {"declare_nodes", text_of(declare_nodes)},
                           {"announce", text_of(announce(part, count))},
                           {"declare_sums", text_of(declare)},
                           {"products", text_of(multiplied ? multiply(part, count) : interpolate(part, count))},
                           {"volume", text_of(volume)},
                           {"lift", text_of(lift)},
                           {"update", text_of(update)}});
}

std::string LaneGenerator::nodes() const {
  std::string text;
  const auto in_braces = [](const std::string& head, const std::string& body) {
    return rtcg::substitute(head + " {\n  ${body}\n}\n", {{"body", body}});
  };
  for (std::size_t p = 0; p < contracted_.parts.size(); ++p) {
    const Part of_part = part(p);
    std::string of_nodes = text_of(load_invariants(of_part.volume));
    for (const Nodes which : {Nodes::multiplied, Nodes::interpolated}) {
      of_nodes += "\n";
      for (const auto& [first, end, at_once] : even_steps(list_of(which).size(), options_.schedule.nodes_at_once)) {
        of_nodes += in_braces(
            "for (int32 first = " + number(first) + "; first < " + number(end) + "; first += " + number(at_once) + ")",
            some_nodes(of_part, which, at_once));
      }
    }
    of_nodes.pop_back();
    text += in_braces("", of_nodes);
  }
  text.pop_back();
  return text;
}

rtcg::KernelSource LaneGenerator::stage() const {
  Block boundary;
  for (std::size_t i = 0; i < lowered_.outside_fields.size(); ++i) {
    boundary += Assign("trace[" + number(i) + " * LANES]", "(real)" + at("q_outside", static_cast<int>(i)));
  }
  Block declare_fresh, store_fresh;
  if (new_state_ == NewState::by_blocks) {
    declare_fresh += Line("SHARED value fresh[NFIELDS * NP];  // the new state, its rows as in memory");
    store_fresh += For("i", "0", "NFIELDS * NP", {Line("STORE_PAST_CACHES(Q_new[STATE(k, 0, 0) + i], fresh[i]);")});
  }
  Block sizes;
  const std::pair<const char*, int> definitions[] = {
      {"LANES_AT_ONCE", lanes_at_once()},
      {"A_LINE", static_cast<int>(line_bytes / real_bytes())},
      {"BLOCKS", blocks_per_group()},
      {"MULTIPLIED", static_cast<int>(nodes_.multiplied.size())},
      {"CONTRACTIONS", std::max(1, static_cast<int>(contracted_.contractions.size()))},
      {"OPERANDS", std::max(1, static_cast<int>(contracted_.operands.size()))}};
  for (const auto& [name, size] : definitions) sizes += Line(std::string("#define ") + name + " " + number(size));
  sizes += Line(std::string("typedef ") + (lanes_at_once() == 4 ? "float32x4" : "float64x2") + " lanes_at_once;");
  std::string order;
  for (const Nodes which : {Nodes::multiplied, Nodes::interpolated}) {
    for (const int n : list_of(which)) order += (order.empty() ? "" : ", ") + number(n);
  }
  sizes += Line("CONSTANT int32 node_order[NP] = {" + order + "};");
  return prologue_.with_prologue(
      "stage", rtcg::syntax::print(sizes) + "\n" +
                   rtcg::substitute(kernels::stage_lanes,
                                    {{"outside_state", outside_state_function(lowered_, options_.precision)},
                                     {"prepare", prepare(first_of_faces(), values_of_a_face())},
                                     {"load_operand_invariants", text_of(load_invariants(contracted_.operands))},
                                     {"operands", text_of(operands())},
                                     {"gather", text_of(gather())},
                                     {"boundary_traces", text_of(boundary)},
                                     {"load_face", text_of(load_face())},
                                     {"fluxes", text_of(fluxes())},
                                     {"nodes", nodes()},
                                     {"declare_fresh", text_of(declare_fresh)},
                                     {"store_fresh", text_of(store_fresh)}}));
}

std::vector<double> LaneGenerator::derivative_factors(const ReferenceElement& reference) const {
  const int at_most = options_.schedule.nodes_at_once;
  std::vector<double> factors;
  arrange(factors, {&reference.Dr, &reference.Ds, &reference.Dt}, nodes_.multiplied, at_most);
  if (nodes_.interpolated.empty()) return factors;
  std::vector<int> rows(nodes_.interpolated.size());
  std::iota(rows.begin(), rows.end(), 0);
  arrange(factors, {&nodes_.interpolation}, rows, at_most);
  return factors;
}

std::vector<double> LaneGenerator::lift_factors(const ReferenceElement& reference) const {
  std::vector<double> factors;
  for (const Nodes which : {Nodes::multiplied, Nodes::interpolated}) {
    arrange(factors, {&reference.LIFT}, list_of(which), options_.schedule.nodes_at_once);
  }
  return factors;
}

}  // namespace maxwell_dg::dg
