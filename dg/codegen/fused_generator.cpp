#include "dg/codegen/fused_generator.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/mirror_sums.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using namespace rtcg::syntax;

int row_apart(int values) {
  return round_up(values - 4, 8) + 4;
}

int count_of(std::span<const Expr> list) {
  return std::max(1, static_cast<int>(list.size()));
}

std::string scaled_normal(int face, const std::string& axis) {
  const auto G = [&](int gradient) { return "G[" + number(3 * gradient) + " + " + axis + "]"; };
  if (const std::optional<int> a = axis_of_face(face)) return "-" + G(*a);
  return G(0) + " + " + G(1) + " + " + G(2);
}

std::string scaled_normal(const std::string& axis) {
  std::string any;
  for (int face = 0; face < 3; ++face) any += "face == " + number(face) + " ? " + scaled_normal(face, axis) + " : ";
  return any + scaled_normal(3, axis);
}

namespace {

/// How far ahead a group announces to L2 what a later one begins with. On an H200 16 to 192 are within 1 % of each
/// other, and 512 is up to 5 % slower.
constexpr int groups_ahead = 64;

/// Where an item has whole faces: at each node it would cost more than reading the numbers. Complements save nothing
/// where the numbers of a face are padded.
MadeOnFaces made_on_faces(const Schedule& schedule) {
  const bool by_elements = schedule.is<Schedule::Elements>();
  const auto* const tiles = std::get_if<Schedule::Tiles>(&schedule.slicing);
  const bool by_face = tiles != nullptr && tiles->fluxes == Schedule::Tiles::Fluxes::by_face;
  return {.edges = by_elements || by_face, .complements = by_elements};
}

bool uses_mirror_axes(const Schedule& schedule) {
  const auto* const tiles = std::get_if<Schedule::Tiles>(&schedule.slicing);
  return tiles != nullptr && tiles->multiplies_mirror_sums();
}

std::optional<ElementBasis> basis_of(const LoweredSystem& lowered, const Schedule& schedule) {
  if (!schedule.in_basis_of_element()) return std::nullopt;
  std::optional<ElementBasis> basis = element_basis(lowered);
  if (!basis) {
    throw std::invalid_argument("schedule " + schedule.name() +
                                ": this system's state cannot be kept in the basis of the element");
  }
  if (schedule.basis() == Schedule::Basis::element_interleaved &&
      (!basis->has_two_of_each_kind() || !schedule.is<Schedule::Elements>())) {
    throw std::invalid_argument(
        "schedule " + schedule.name() +
        ": interleaved are vectors of which there are two of a kind, with elements_in_parallel");
  }
  return basis;
}

}  // namespace

FusedGenerator::FusedGenerator(const LoweredSystem& lowered, Options options, bool metric_is_at_hand)
    : lowered_(lowered),
      options_(std::move(options)),
      range_(options_.has_ranges),
      basis_(basis_of(lowered, options_.schedule)),
      contracted_(basis_ ? contract(lowered, *basis_, made_on_faces(options_.schedule),
                                    uses_mirror_axes(options_.schedule) ? Axes::mirror : Axes::reference)
                         : contract(lowered, metric_is_at_hand)),
      Np_(node_count(options_.N)),
      Nfp_(face_node_count(options_.N)),
      fields_(static_cast<int>(lowered.volume.size())),
      layout_(options_.schedule, options_.precision, 1, fields_, Np_),
      element_size_(layout_.block_values / layout_.block_elements),
      traces_(lowered, basis_, layout_, options_.precision) {
  if (options_.schedule.parts() == Schedule::Parts::apart) return;
  for (std::size_t p = 1; p < contracted_.parts.size(); ++p) {
    contracted_.parts[0].insert(contracted_.parts[0].end(), contracted_.parts[p].begin(), contracted_.parts[p].end());
  }
  contracted_.parts.resize(1);
  std::ranges::sort(contracted_.parts[0]);
}

std::string FusedGenerator::prologue(const std::vector<std::pair<std::string, int>>& more) const {
  const bool single = options_.precision == Dtype::float32;
  Block text;
  text += Line(std::string("typedef ") + (single ? "float32" : "float64") + " real;");
  text += Line(std::string("typedef ") + (single ? "float32x4" : "float64x2") + " vector;");
  text += Line(std::string("typedef ") + (single ? "float32x2" : "float64x2") + " pair_of_reals;");
  std::vector<std::pair<std::string, int>> sizes{
      {"SINGLE_PRECISION", single ? 1 : 0},
      {"VECTOR", vector_size()},
      {"NP", Np_},
      {"NFP", Nfp_},
      {"NFIELDS", fields_},
      {"CONSTANTS", std::max(1, static_cast<int>(lowered_.constants.size()))},
      {"OUTSIDE_FIELDS", std::max(1, static_cast<int>(lowered_.outside_fields.size()))},
      {"ELEMENTS", elements_per_group()},
      {"ELEMENT_SIZE", element_size_},
      {"RUN", rows_.run},
      {"GAP", rows_.gap},
      {"PART_FIELDS", most_fields_of_a_part()},
      {"AHEAD", groups_ahead},
      {"GROUP_ITEMS", group_items()},
      {"RESIDENT_GROUPS", options_.schedule.resident_groups()},
      {"ON_CHIP_VALUES", static_cast<int>(on_chip_bytes() / real_bytes())}};
  if (is_blocked()) sizes.emplace_back("FIELD_STRIDE", layout_.row_nodes);
  sizes.insert(sizes.end(), more.begin(), more.end());
  for (const auto& [name, value] : sizes) text += Line("#define " + name + " " + std::to_string(value));
  text += define_order(layout_.order, field_stride());
  text += Line(std::string("#define BOUNDARY_NODE(b, axis, i) ") +
               (lowered_.boundaries_move ? "boundary_nodes[((int64)(b) * 3 + (axis)) * NFP + (i)]" : "0"));
  if (basis_) {
    const auto table = [&](const std::string& name, int FaceFrame::*axis) {
      std::string bytes;  // of a face each, the first the lowest
      for (int face = 3; face >= 0; --face) bytes += "0" + number(frame_of_face(face).*axis);
      text += Line("#define " + name + "(face) ((int32)byte_of(0x" + bytes + "u, face))");
    };
    table("AXIS_A", &FaceFrame::a);
    table("AXIS_B", &FaceFrame::b);
    table("AXIS_C", &FaceFrame::c);
    for (int face = 0; face < 4; ++face) {
      if (frame_of_face(face).is_slanted) text += Line("#define SLANTED_FACE " + number(face));
    }
  }
  const std::string row_place = is_blocked() ? "(e) * NP" : "(e) * ELEMENT_SIZE + (int32)((uint32)(e) / RUN) * GAP";
  return rtcg::syntax::print(text) + "\n" + std::string(kernel_text("dg/codegen/on_chip_memory.kernel")) +
         rtcg::substitute(kernel_text("dg/codegen/on_chip.kernel"), {{"row_place", row_place}}) + "\n";
}

std::string FusedGenerator::name() const {
  return "stage_" + options_.system + "_N" + std::to_string(options_.N) + "_" +
         std::string(name_of(options_.precision)) + "_" + options_.schedule.name() + ".kernel";
}

PrintedCode FusedGenerator::print(std::span<const Expr> outputs,
                                  std::function<std::string(const AnySymbol&)> name_of) const {
  return print_reals(Program(outputs), options_.precision, std::move(name_of));
}

rtcg::Value::List FusedGenerator::mirror_axes() const {
  rtcg::Value::List components;
  for (const std::array<double, 3>& factors : MirrorSums::gradients) {
    for (int axis = 0; axis < 3; ++axis) {
      const Expr sum = combination(factors, [&](int b) { return gradient_of(b)[axis]; });
      const PrintedCode code =
          print(std::span(&sum, 1), [](const AnySymbol& s) { return at("G", std::get<LoweredSymbol>(s).number); });
      components.emplace_back(rtcg::Record{{"lines", values_of(code.lines)}, {"result", code.results.front()}});
    }
  }
  return components;
}

std::vector<Expr> FusedGenerator::of_contractions(const Part& part) const {
  std::vector<Expr> volume;
  for (const int f : part.fields) volume.push_back(without_fields(contracted_.volume[index(f)]));
  return volume;
}

std::vector<Expr> FusedGenerator::of_node() const {
  std::vector<Expr> volume;
  for (const Expr& e : basis_ ? contracted_.equations : contracted_.volume) {
    volume.push_back(without_contractions(e));
  }
  return volume;
}

rtcg::Record FusedGenerator::printed(std::span<const Expr> expressions) const {
  return values_by_kind(Program(expressions), print(expressions));
}

rtcg::Record FusedGenerator::prepare_values(int values_of_an_element, int values_of_a_face) const {
  const bool is_along_axes = multiplies_mirror_sums() && !basis_;
  return {{"items", prepare_items},
          {"block", invariant_block()},
          {"row", invariant_row()},
          {"values_of_an_element", values_of_an_element},
          {"values_of_a_face", values_of_a_face},
          {"mirror_axes", is_along_axes ? mirror_axes() : rtcg::Value::List{}},
          {"of_element", printed(contracted_.element_invariants)},
          {"of_face", printed(contracted_.face_invariants)},
          {"keeps_metric", rows_have_metric()},
          {"keeps_normals", rows_have_normals()},
          {"in_basis_of_element", basis_.has_value()},
          {"scaled_normal", scaled_normal("axis")}};
}

std::string FusedGenerator::prepare(int values_of_an_element, int values_of_a_face) const {
  static const rtcg::Template text = kernel_template("dg/codegen/prepare.kernel");
  return text.render({{"prepare", prepare_values(values_of_an_element, values_of_a_face)}},
                     rtcg::Template::LineDirectives::left_out);
}

std::string FusedGenerator::basis_changes() const {
  if (!basis_) return "";
  const auto kernel = [&](const std::string& name, const std::string& direction, const std::vector<Expr>& values) {
    const auto at_node = [](const std::string& array) {
      return [array](const std::string& f) { return array + "[FIELD_PLACE(" + f + ")]"; };
    };
    const Block change = put_fields(values, options_.precision, at_node("q"), at_node("changed"));
    return rtcg::substitute(kernel_text("dg/codegen/basis.kernel"), {{"name", name},
                                                                     {"direction", direction},
                                                                     {"place_of_element", place_of_element("k")},
                                                                     {"change", text_of(change)}});
  };
  return kernel("to_cartesian", "from the basis of the element to components along x, y and z", basis_->cartesian) +
         kernel("from_cartesian", "from components along x, y and z to the basis of the element", basis_->stored);
}

std::string FusedGenerator::place_of_element(const std::string& k) const {
  if (!is_blocked()) return k + " * ELEMENT_SIZE";
  const std::string element = "(uint32)" + k;
  return "(int64)(" + element + " / ELEMENTS) * (ELEMENTS * ELEMENT_SIZE) + " + element + " % ELEMENTS * NP";
}

std::string FusedGenerator::announcements(const std::string& more) const {
  return rtcg::substitute(kernel_text("dg/codegen/stage_announcements.kernel"),
                          {{"elements_moved", elements_moved()}, {"announce_more", more}});
}

std::string FusedGenerator::residuals() const {
  // A block has whole vectors, one of its elements may not.
  const std::string vectors = is_blocked() ? "ELEMENTS * ELEMENT_SIZE / VECTOR" : "present * (ELEMENT_SIZE / VECTOR)";
  return rtcg::substitute(kernel_text("dg/codegen/stage_residuals.kernel"), {{"vectors", vectors}});
}

int FusedGenerator::most_fields_of_a_part() const {
  return static_cast<int>(std::ranges::max(contracted_.parts, {}, &std::vector<int>::size).size());
}

std::vector<std::int32_t> FusedGenerator::node_words(const ReferenceElement& reference) const {
  return reference.face_nodes();
}

FusedGenerator::Part FusedGenerator::part(std::size_t number) const {
  Part part{.fields = contracted_.parts[number]};
  std::set<int> contractions, operands;
  for (const int f : part.fields) {
    part.volume.push_back(contracted_.volume[static_cast<std::size_t>(f)]);
    part.names += (part.names.empty() ? "" : ", ") + std::to_string(f);
  }
  for (const LoweredSymbol& s : symbols_of(part.volume, Lowered::contraction)) contractions.insert(s.number);
  part.contractions.assign(contractions.begin(), contractions.end());
  for (const int c : part.contractions) {
    for (const Contraction::Term& t : contracted_.contractions[static_cast<std::size_t>(c)].terms) {
      operands.insert(t.operand);
    }
  }
  part.operands.assign(operands.begin(), operands.end());
  return part;
}

std::string FusedGenerator::update_rows() const {
  Block update;
  for (const std::string c : std::span(vector_components).first(index(vector_size()))) {
    update += Assign("res." + c, "a * res." + c + " + dt * r." + c);
    update += Assign("q_new." + c, "q." + c + " + b * res." + c);
  }
  Block rhs{Declare("const vector", "r", "*(SHARED_PART const vector*)(rhs_rows + place)")};
  if (layout_.order.side_by_side == 2) {
    const bool is_pair = vector_size() == 2;  // of fields: else of two nodes as well
    const auto of_column = [&](const std::string& column) {
      const std::string from = "rhs_rows + place_of_rhs" + column;
      return is_pair ? "*(" + from + ")" : "*(SHARED_PART const pair_of_reals*)(" + from + ")";
    };
    rhs = Block{
        Declare("const int32", "row", "(int32)((uint32)i / (ELEMENT_SIZE / VECTOR))"),
        Declare("const int32", "place_of_rhs", "ROW_PLACE(row) + (i - row * (ELEMENT_SIZE / VECTOR)) * (VECTOR / 2)"),
        Declare(is_pair ? "const real" : "const pair_of_reals", "first_column", of_column("")),
        Declare(is_pair ? "const real" : "const pair_of_reals", "second_column", of_column(" + NFIELDS / 2 * NP")),
        Line("vector r;")};
    for (int c = 0; c < vector_size(); ++c) {
      const std::string column = c % 2 == 0 ? "first_column" : "second_column";
      rhs +=
          Assign(std::string("r.") + vector_components.at(index(c)), is_pair ? column : column + (c < 2 ? ".x" : ".y"));
    }
  }
  const auto value_of = [](const std::string& array) { return "((GLOBAL real*)own_" + array + ")[i * VECTOR + c]"; };
  const Block store = range_.store({
      .is_whole = "first >= range_begin && first + present <= range_end",
      .whole = {Assign("own_RES[i]", "res"), Assign("own_Q_new[i]", "q_new")},
      .vector_values = "VECTOR",
      .element = std::string("first + (i * VECTOR + c) ") + (is_blocked() ? "% FIELD_STRIDE / NP" : "/ ELEMENT_SIZE"),
      .value = {Assign(value_of("RES"), "((const real*)&res)[c]"),
                Assign(value_of("Q_new"), "((const real*)&q_new)[c]")},
  });
  return rtcg::substitute(kernel_text("dg/codegen/stage_update.kernel"),
                          {{"rhs", text_of(rhs)}, {"update", text_of(update)}, {"store", text_of(store)}});
}

}  // namespace maxwell_dg::dg
