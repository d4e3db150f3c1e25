#include "dg/codegen/lanes/lane_generator.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/lanes/kernel_texts.hpp"
#include "dg/codegen/outside_state.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/symbolic/program.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using namespace rtcg::syntax;

namespace {

/// Up to this order the arithmetic of a block takes less time than memory does: its residuals and the new state are
/// announced before they are needed.
constexpr int last_order_of_short_steps = 3;

/// State, new state and residuals that a last-level cache is likely to hold until the next stage. Where they are
/// larger, the new state is stored past the caches: its lines need not be read before they are written.
constexpr std::size_t cached_bytes = 16UL << 20, line_bytes = 64;

/// Of a row among those at once: w3_1 is the contraction 3 of the second.
std::string of_row(const std::string& name, std::size_t i, int row) {
  return name + number(i) + "_" + number(row);
}

/// [column][row]
void append_columns(std::vector<double>& factors, const Eigen::MatrixXd& of_some_rows) {
  factors.insert(factors.end(), of_some_rows.data(), of_some_rows.data() + of_some_rows.size());
}

}  // namespace

LaneGenerator::LaneGenerator(const LoweredSystem& lowered, Options options)
    : FusedGenerator(lowered, std::move(options)),
      prologue_(lowered, options_),
      reference_(ReferenceElement::make(options_.N)),
      nodes_(MirrorSums::of_nodes(reference_)),
      face_nodes_(MirrorSums::of_face_nodes(reference_)),
      derivatives_(DerivativeNodes::of_mirror_sums(reference_)),
      rows_(sorted_rows()),
      squares_{.fields = fields_, .lanes = slicing().lanes, .at_once = vector_size()} {
  const Schedule::Lanes& s = slicing();
  if ((s.lanes != 2 && s.lanes != 4 && s.lanes != 8 && s.lanes != 16) || s.lanes < squares_.at_once ||
      s.nodes_at_once < 1) {
    throw std::invalid_argument("schedule " + options_.schedule.name() +
                                ": lanes_in_vectors needs 2 (in double precision), 4, 8 or 16 lanes, and nodes");
  }
  of_node_ = of_node();
}

std::vector<LaneGenerator::Rows> LaneGenerator::sorted_rows() const {
  std::vector<Rows> all;
  Rows rows{};  // so far
  for (int kind = 0; kind < MirrorSums::kinds; ++kind) {
    const DerivativeNodes& derivatives = derivatives_[index(kind)];
    rows.kind = kind;
    rows.multiplied = static_cast<int>(derivatives.multiplied.size());
    rows.interpolated = static_cast<int>(derivatives.interpolated.size());
    rows.columns_of_D = 0;
    for (int axis = 0; axis < 3; ++axis) rows.columns_of_D += nodes_.count.at(index(kind ^ axis));
    rows.columns_of_LIFT = face_nodes_.count.at(index(kind));
    all.push_back(rows);
    rows.first += rows.count();
    rows.first_D += rows.multiplied * (rows.columns_of_D + rows.interpolated);
    rows.first_LIFT += rows.count() * rows.columns_of_LIFT;
  }
  return all;
}

std::vector<LaneGenerator::Step> LaneGenerator::steps(const Rows& rows) const {
  std::vector<Step> all;
  const int count = ceil_divide(rows.count(), slicing().nodes_at_once);
  int first = 0;
  for (int i = 0; i < count; ++i) {
    const int at_once = rows.count() / count + (i < rows.count() % count ? 1 : 0);
    const int multiplied = std::clamp(rows.multiplied - first, 0, at_once);
    const bool is_mixed = multiplied > 0 && multiplied < at_once;
    if (!all.empty() && !is_mixed && all.back().at_once == at_once && all.back().multiplied == multiplied) {
      all.back().end += at_once;
    } else {
      all.push_back({first, first + at_once, at_once, multiplied});
    }
    first += at_once;
  }
  return all;
}

std::vector<int> LaneGenerator::slots(const Rows& rows, int first, int end) const {
  const DerivativeNodes& derivatives = derivatives_[index(rows.kind)];
  std::vector<int> all = derivatives.multiplied;
  all.insert(all.end(), derivatives.interpolated.begin(), derivatives.interpolated.end());
  return {all.begin() + first, all.begin() + end};
}

bool LaneGenerator::keeps_new_state_in_caches() const {
  return 3 * options_.elements * index(fields_ * Np_) * real_bytes() <= cached_bytes;
}

int LaneGenerator::blocks_per_group() const {
  return std::clamp(512 / Np_, 1, 8);
}

int LaneGenerator::most_multiplied() const {
  return std::ranges::max(rows_, {}, &Rows::multiplied).multiplied;
}

std::size_t LaneGenerator::on_chip_bytes() const {
  const auto vectors = (static_cast<int>(contracted_.operands.size()) + 2 * fields_) * Np_ + flux_slots() * fields_ +
                       most_fields_of_a_part() * most_multiplied();
  return static_cast<std::size_t>(vectors * slicing().lanes) * real_bytes();
}

PrintedCode LaneGenerator::print_values(std::span<const Expr> outputs) const {
  return symbolic::print(
      Program(outputs),
      {.dtype = options_.precision, .type = "value", .vectors = true, .prefix = "v", .name_of = name_in_kernel});
}

Block LaneGenerator::load_invariants(std::span<const Expr> expressions) const {
  Block block;
  for (const LoweredSymbol& s : symbols_of(expressions, Lowered::invariant))
    block += declare_symbol(s, at("h", s.number), "value");
  return block;
}

Block LaneGenerator::operands() const {
  Block block;
  for (const Symbol& s : symbols_of(contracted_.operands, Kind::field)) {
    block += declare_symbol(s, "own[n * NFIELDS + " + number(s.index) + "]", "value");
  }
  const PrintedCode code = print_values(contracted_.operands);
  append(block, code.lines);
  for (std::size_t g = 0; g < code.results.size(); ++g) {
    block += Assign("operand[" + number(g) + "]", code.results[g]);
  }
  return block;
}

Block LaneGenerator::load_face() const {
  Block block{Line("const value nx = of_face[0], ny = of_face[1], nz = of_face[2];")};
  for (const LoweredSymbol& s : symbols_of(contracted_.flux, Lowered::invariant)) {
    block += declare_symbol(s, at("of_face", 3 + s.number), "value");
  }
  return block;
}

Block LaneGenerator::outside_traces() const {
  const std::set<Symbol> wanted = symbols_of(contracted_.flux, Kind::field);
  Block block;
  const auto declare = [&](int field, const std::string& value) {
    const Symbol trace{.kind = Kind::field, .index = field, .side = Side::outside};
    if (wanted.contains(trace)) block += declare_symbol(trace, value, "value");
  };
  if (!squares_.fit()) {
    for (int f = 0; f < fields_; ++f) {
      declare(f, vector_of(slicing().lanes, [&](int lane) { return at(at("records", lane), f); }));
    }
    return block;
  }
  int end = 0;  // of the fields that are there
  for (const int first : squares_.first_fields(squares_.loaded())) {
    const std::string some = "from_" + number(first);
    block += Line("value " + some + "[LOADED];");
    block += Line("load_turned(" + some + ", records, " + number(first) + ");");
    for (; end < std::min(fields_, first + squares_.loaded()); ++end) declare(end, at(some, end - first));
  }
  return block;
}

Block LaneGenerator::fluxes() const {
  Block block;
  for (const Symbol& s : symbols_of(contracted_.flux, Kind::field)) {
    if (s.side == Side::inside) block += declare_symbol(s, at("q_m", s.index), "value");
  }
  const PrintedCode code = print_values(contracted_.flux);
  append(block, code.lines);
  for (std::size_t f = 0; f < code.results.size(); ++f) block += Assign("flux[" + number(f) + "]", code.results[f]);
  return block;
}

Block LaneGenerator::multiply(const Part& part, const Rows& rows, const Step& step) const {
  Block block;
  int column = 0;  // the first of an axis
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t kind = index(rows.kind ^ axis);
    const int first = nodes_.first_slot.at(kind), columns = nodes_.count.at(kind);
    Block products;
    std::set<int> operands;
    for (int i = 0; i < step.multiplied; ++i) {
      const std::string entry = "d" + number(i);
      products += Declare("const real", entry, "d[m * " + number(step.multiplied) + " + " + number(i) + "]");
      for (std::size_t w = 0; w < part.contractions.size(); ++w) {
        for (const auto& term : contracted_.contractions[index(part.contractions[w])].terms) {
          if (term.axis != axis) continue;
          operands.insert(term.operand);
          products +=
              Assign(of_row("w", w, i), entry + " * operand" + number(term.operand), term.negative ? "-=" : "+=");
        }
      }
    }
    Block of_column{Line("SHARED const value* const operand = operands + (" + number(first) + " + m) * OPERANDS;")};
    for (const int g : operands) of_column += Declare("const value", "operand" + number(g), at("operand", g));
    of_column += products;
    if (columns > 0 && !operands.empty()) {
      block += Scope({Line("GLOBAL const real* const d = D + " + number(rows.first_D) + " + first * " +
                           number(rows.columns_of_D) + " + " + number(column * step.multiplied) + ";"),
                      For("m", "0", number(columns), std::move(of_column))});
    }
    column += columns;
  }
  return block;
}

Block LaneGenerator::interpolate(const Part& part, const Rows& rows, const Step& step) const {
  const int count = step.at_once - step.multiplied;
  if (count == 0 || rows.multiplied == 0) return {};
  Block of_multiplied{Line("SHARED const value* const rhs = multiplied + m * PART_FIELDS;")};
  for (int i = 0; i < count; ++i) {
    const std::string entry = "p" + number(i);
    of_multiplied += Declare("const real", entry, "p[m * " + number(count) + " + " + number(i) + "]");
    for (std::size_t f = 0; f < part.fields.size(); ++f) {
      of_multiplied += Assign(of_row("rhs", f, step.multiplied + i), entry + " * rhs[" + number(f) + "]", "+=");
    }
  }
  const int first_of_all = rows.first_D + rows.multiplied * rows.columns_of_D;
  return {Line("GLOBAL const real* const p = D + " + number(first_of_all) + " + (first + " + number(step.multiplied) +
               " - " + number(rows.multiplied) + ") * " + number(rows.multiplied) + ";"),
          For("m", "0", number(rows.multiplied), std::move(of_multiplied))};
}

Block LaneGenerator::lift(const Part& part, const Rows& rows, const Step& step) const {
  if (rows.columns_of_LIFT == 0) return {};
  Block of_column{Line("SHARED const value* const flux = fluxes + (" +
                       number(face_nodes_.first_slot.at(index(rows.kind))) + " + j) * NFIELDS;")};
  for (int i = 0; i < step.at_once; ++i) {
    const std::string entry = "l" + number(i);
    of_column += Declare("const real", entry, "lift[j * " + number(step.at_once) + " + " + number(i) + "]");
    for (std::size_t f = 0; f < part.fields.size(); ++f) {
      of_column += Assign(of_row("rhs", f, i), entry + " * flux[" + number(part.fields[f]) + "]", "+=");
    }
  }
  return {Line("GLOBAL const real* const lift = LIFT + " + number(rows.first_LIFT) + " + first * " +
               number(rows.columns_of_LIFT) + ";"),
          For("j", "0", number(rows.columns_of_LIFT), std::move(of_column))};
}

std::string LaneGenerator::some_rows(const Part& part, const Rows& rows, const Step& step) const {
  const PrintedCode code = print_values(of_contractions(part));
  Block declare, volume, keep;
  for (int i = 0; i < step.at_once; ++i) {
    for (std::size_t f = 0; f < part.fields.size(); ++f) declare += Declare("value", of_row("rhs", f, i), "0");
  }
  if (step.multiplied > 0) volume += multiply(part, rows, step);
  for (int i = 0; i < step.multiplied; ++i) {
    Block of_this_row;
    for (std::size_t w = 0; w < part.contractions.size(); ++w) {
      declare += Declare("value", of_row("w", w, i), "0");
      of_this_row += declare_symbol(contraction(part.contractions[w]).symbol(), of_row("w", w, i), "value");
    }
    append(of_this_row, code.lines);
    for (std::size_t f = 0; f < part.fields.size(); ++f) {
      std::string result = code.results[f];
      if (rows.interpolated > 0) {
        const std::string kept = "multiplied[(first + " + number(i) + ") * PART_FIELDS + " + number(f) + "]";
        of_this_row += Assign(kept, result);
        result = kept;
      }
      of_this_row += Assign(of_row("rhs", f, i), result, "+=");
    }
    volume += Scope(std::move(of_this_row));
  }
  volume += interpolate(part, rows, step);
  for (int i = 0; i < step.at_once; ++i) {
    const std::string rate = "rate" + number(i);
    keep +=
        Line("SHARED value* const " + rate + " = rates + row_slot[" + number(rows.first + i) + " + first] * NFIELDS;");
    for (std::size_t f = 0; f < part.fields.size(); ++f) keep += Assign(at(rate, part.fields[f]), of_row("rhs", f, i));
  }
  return rtcg::substitute(kernels::stage_lanes_rows, {{"fields", part.names},
                                                      {"kind", number(rows.kind)},
                                                      {"multiplied", number(step.multiplied)},
                                                      {"interpolated", number(step.at_once - step.multiplied)},
                                                      {"declare_sums", text_of(declare)},
                                                      {"lift", text_of(lift(part, rows, step))},
                                                      {"volume", text_of(volume)},
                                                      {"keep", text_of(keep)}});
}

std::string LaneGenerator::rows() const {
  std::string text;
  const auto in_braces = [](const std::string& head, const std::string& body) {
    return rtcg::substitute(head + " {\n  ${body}\n}\n", {{"body", body}});
  };
  for (std::size_t p = 0; p < contracted_.parts.size(); ++p) {
    const Part of_part = part(p);
    std::string of_rows = text_of(load_invariants(of_contractions(of_part)));
    for (const Rows& rows : rows_) {
      of_rows += "\n";
      for (const Step& step : steps(rows)) {
        of_rows += in_braces("for (int32 first = " + number(step.first) + "; first < " + number(step.end) +
                                 "; first += " + number(step.at_once) + ")",
                             some_rows(of_part, rows, step));
      }
    }
    text += in_braces("", of_rows);
  }
  text.pop_back();
  return text;
}

Block LaneGenerator::rates_of_node() const {
  Block block;
  for (const Symbol& s : symbols_of(of_node_, Kind::field)) {
    block += declare_symbol(s, "own[n * NFIELDS + " + number(s.index) + "]", "value");
  }
  const PrintedCode code = print_values(of_node_);
  append(block, code.lines);
  const auto rate = [&](int f) {
    const std::string shares = at("rate", f);
    return of_node_[index(f)].is_constant(0) ? shares : shares + " + " + code.results[index(f)];
  };
  if (!squares_.fit()) {
    for (int f = 0; f < fields_; ++f) {
      block += Declare("const value", "rate" + number(f), rate(f));
      for (int lane = 0; lane < slicing().lanes; ++lane) {
        block += Assign(at("record", lane * fields_ * Np_ + f), numbers_of("rate" + number(f), lane, 1));
      }
    }
    return block;
  }
  for (const int first : squares_.first_fields(squares_.at_once)) {
    std::string values;
    for (int f = first; f < first + squares_.at_once; ++f) values += (f > first ? ", " : "") + rate(f);
    block += Scope(
        {Line("value some[AT_ONCE] = {" + values + "};"), Line("store_turned(record + " + number(first) + ", some);")});
  }
  return block;
}

Block LaneGenerator::announce_results() const {
  if (options_.N > last_order_of_short_steps) return {};
  const std::string place = "(int64)k * LANES * ELEMENT + face * A_SHARE + i * A_LINE";
  Block of_line{Line("ANNOUNCE_WRITE(RES + " + place + ");")};
  if (keeps_new_state_in_caches()) of_line += Line("ANNOUNCE_WRITE(Q_new + " + place + ");");
  return {For("i", "0", "(A_SHARE + A_LINE - 1) / A_LINE", std::move(of_line))};
}

Block LaneGenerator::update() const {
  Block block;
  block += Declare("const value", "r", "a * res[i] + dt * turned[i]");
  // Of a range, computed before it is known how much of it is stored: alone, a value might be rounded otherwise.
  const std::string q_new = range_.has_ranges() ? "q_of_stage" : "old[i] + b * r";
  if (range_.has_ranges()) block += Declare("const value", q_new, "old[i] + b * r");
  block += range_.store({
      .is_whole = "k * LANES >= range_begin && (k + 1) * LANES <= range_end",
      .whole = {Assign("res[i]", "r"), keeps_new_state_in_caches()
                                           ? Statement(Assign("q_new[i]", q_new))
                                           : Statement(Line("STORE_PAST_CACHES(q_new[i], " + q_new + ");"))},
      .vector_values = "LANES",
      .element = "k * LANES + (i * LANES + c) / ELEMENT",
      .value = {Assign("((GLOBAL real*)res)[i * LANES + c]", "((const real*)&r)[c]"),
                Assign("((GLOBAL real*)q_new)[i * LANES + c]", "((const real*)&" + q_new + ")[c]")},
  });
  return block;
}

Block LaneGenerator::definitions() const {
  Block block;
  const auto mirrored = [](const MirrorSums& s) {
    std::string list = number(s.fours) + ", " + number(s.seconds) + ", " + number(s.firsts);
    for (std::size_t kind = 1; kind < MirrorSums::kinds; ++kind) list += ", " + number(s.first_slot.at(kind));
    return list;
  };
  const std::pair<const char*, std::string> definitions[] = {
      {"LANES", number(slicing().lanes)},
      {"AT_ONCE", number(squares_.at_once)},
      {"LOADED", number(squares_.loaded())},
      {"VALUE_BYTES", number(slicing().lanes * static_cast<int>(real_bytes()))},
      {"ELEMENT", number(fields_ * Np_)},
      {"A_LINE", number(line_bytes / real_bytes())},
      {"A_SHARE", number(ceil_divide(slicing().lanes * fields_ * Np_, 4))},
      {"BLOCKS", number(blocks_per_group())},
      {"MULTIPLIED", number(most_multiplied())},
      {"PART_FIELDS", number(most_fields_of_a_part())},
      {"FACE_ROW", number(face_row())},
      {"FLUX_SLOTS", number(flux_slots())},
      {"OPERANDS", number(std::max(1, static_cast<int>(contracted_.operands.size())))},
      {"MIRRORED_NODES", mirrored(nodes_)},
      {"MIRRORED_FACE_NODES", mirrored(face_nodes_)}};
  for (const auto& [name, value] : definitions) block += Line(std::string("#define ") + name + " " + value);
  const std::string real = squares_.at_once == 4 ? "float" : "double", bytes = number(real_bytes());
  block += Line("typedef " + real + number(slicing().lanes) + " value;  // a real for each of LANES elements");
  block += Line(std::string("typedef ") + (squares_.at_once == 4 ? "uint" : "ulong") + number(slicing().lanes) +
                " places_in_two;");
  const auto part_of_record = [&](const std::string& name, int numbers) {
    block += Line("typedef " + real + number(numbers) + " " + name + " __attribute__((aligned(" + bytes + ")));");
  };
  part_of_record("record_load", squares_.loaded());
  part_of_record("record_store", squares_.at_once);
  const auto table = [&](const std::string& type, const std::string& name, const std::vector<int>& values) {
    std::string list;
    for (const int v : values) list += (list.empty() ? "" : ", ") + number(v);
    // Aligned so that eight may be copied at once.
    block += Line("CONSTANT " + type + " " + name + "[" + number(values.size()) + "] __attribute__((aligned(16))) = {" +
                  list + "};");
  };
  table("int32", "node_slot", nodes_.slot);
  table("int32", "face_slot", face_nodes_.slot);
  std::vector<int> row_slot;
  for (const Rows& rows : rows_) {
    for (const int slot : slots(rows, 0, rows.count())) row_slot.push_back(slot);
  }
  table("int32", "row_slot", row_slot);
  std::vector<int> record_place;  // of the nodes of each face in an element; and of a face's nodes by themselves
  const std::vector<int> of_faces = reference_.face_nodes();
  for (int face = 0; face <= ReferenceElement::Nfaces; ++face) {
    for (int j = 0; j < Nfp_; ++j) {
      record_place.push_back(fields_ * (face < ReferenceElement::Nfaces ? of_faces[index(face * Nfp_ + j)] : j));
    }
    record_place.resize(index((face + 1) * face_row()));
  }
  table("ushort", "record_place", record_place);
  return block;
}

rtcg::KernelSource LaneGenerator::stage() const {
  Block boundary;
  for (std::size_t i = 0; i < lowered_.outside_fields.size(); ++i) {
    boundary += Assign(at("trace", lowered_.outside_fields[i]), "(real)" + at("q_outside", static_cast<int>(i)));
  }
  return prologue_.with_prologue(
      "stage", rtcg::syntax::print(definitions()) + "\n" +
                   rtcg::substitute(kernels::stage_lanes,
                                    {{"range_parameters", range_.parameters()},
                                     {"range_end", range_.end()},
                                     {"first_group", range_.first_group("(LANES * BLOCKS)")},
                                     {"outside_state", outside_state_function(lowered_, options_.precision)},
                                     {"prepare", prepare(first_of_faces(), values_of_a_face())},
                                     {"load_operand_invariants", text_of(load_invariants(contracted_.operands))},
                                     {"operands", text_of(operands())},
                                     {"turn", text_of(squares_.turn())},
                                     {"load_records", text_of(squares_.load())},
                                     {"store_records", text_of(squares_.store())},
                                     {"announce_results", text_of(announce_results())},
                                     {"boundary_traces", text_of(boundary)},
                                     {"load_face", text_of(load_face())},
                                     {"outside_traces", text_of(outside_traces())},
                                     {"fluxes", text_of(fluxes())},
                                     {"rows", rows()},
                                     {"load_local_invariants", text_of(load_invariants(of_node_))},
                                     {"rates_of_node", text_of(rates_of_node())},
                                     {"update", text_of(update())}}));
}

std::vector<double> LaneGenerator::derivative_factors(const ReferenceElement& reference) const {
  const std::array<Eigen::MatrixXd, 3> D = MirrorSums::derivatives(reference, nodes_);
  std::vector<double> factors;
  for (const Rows& rows : rows_) {
    std::vector<double> interpolation;  // comes behind the others
    for (const Step& step : steps(rows)) {
      for (int first = step.first; first < step.end; first += step.at_once) {
        const int end_of_multiplied = first + step.multiplied;
        for (int axis = 0; axis < 3; ++axis) {
          const std::size_t kind = index(rows.kind ^ axis);
          append_columns(factors, D.at(index(axis))(slots(rows, first, end_of_multiplied),
                                                    Eigen::seqN(nodes_.first_slot.at(kind), nodes_.count.at(kind))));
        }
        append_columns(interpolation,
                       derivatives_[index(rows.kind)].interpolation.middleRows(
                           std::max(0, end_of_multiplied - rows.multiplied), step.at_once - step.multiplied));
      }
    }
    factors.insert(factors.end(), interpolation.begin(), interpolation.end());
  }
  return factors;
}

std::vector<double> LaneGenerator::lift_factors(const ReferenceElement& reference) const {
  const Eigen::MatrixXd LIFT = between_mirror_sums(reference.LIFT, nodes_, face_nodes_);
  std::vector<double> factors;
  for (const Rows& rows : rows_) {
    for (const Step& step : steps(rows)) {
      for (int first = step.first; first < step.end; first += step.at_once) {
        append_columns(factors, LIFT(slots(rows, first, first + step.at_once),
                                     Eigen::seqN(face_nodes_.first_slot.at(index(rows.kind)), rows.columns_of_LIFT)));
      }
    }
  }
  return factors;
}

}  // namespace maxwell_dg::dg
