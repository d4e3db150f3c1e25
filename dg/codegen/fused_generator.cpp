#include "dg/codegen/fused_generator.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include "core/round_up.hpp"
#include "dg/codegen/fit.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/mirror_sums.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;

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

/// How far ahead a group prefetches to L2 what a later one begins with. On an H200 16 to 192 are within 1 % of each
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
  require(basis_fits(schedule, basis), schedule);
  return basis;
}

}  // namespace

ContractedSystem contract_for(const Schedule& schedule, const LoweredSystem& lowered,
                              const std::optional<ElementBasis>& basis, bool metric_is_at_hand) {
  if (!basis) return contract(lowered, metric_is_at_hand);
  return contract(lowered, *basis, made_on_faces(schedule),
                  uses_mirror_axes(schedule) ? Axes::mirror : Axes::reference);
}

FusedGenerator::FusedGenerator(const LoweredSystem& lowered, Options options, bool metric_is_at_hand)
    : lowered_(lowered),
      options_(std::move(options)),
      range_(options_.has_ranges),
      basis_(basis_of(lowered, options_.schedule)),
      contracted_(contract_for(options_.schedule, lowered, basis_, metric_is_at_hand)),
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

rtcg::Record FusedGenerator::stage_values(const std::vector<std::pair<std::string, int>>& more) const {
  const bool is_single = options_.precision == Dtype::float32;
  std::vector<std::pair<std::string, int>> sizes{
      {"SINGLE_PRECISION", is_single ? 1 : 0},
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
      {"SHARED_VALUES", static_cast<int>(shared_bytes() / real_bytes())}};
  if (is_blocked()) sizes.emplace_back("FIELD_STRIDE", layout_.row_nodes);
  sizes.insert(sizes.end(), more.begin(), more.end());
  rtcg::Value::List definitions, axes;
  for (const auto& [name, size] : sizes) definitions.emplace_back(rtcg::Value::List{name, size});
  const auto table = [&](const char* name, int FaceFrame::*axis) {
    std::string bytes;  // of a face each, the first the lowest
    for (int face = 3; face >= 0; --face) bytes += "0" + number(frame_of_face(face).*axis);
    axes.emplace_back(rtcg::Value::List{name, bytes});
  };
  table("AXIS_A", &FaceFrame::a);
  table("AXIS_B", &FaceFrame::b);
  table("AXIS_C", &FaceFrame::c);
  int slanted_face = 0;
  while (!frame_of_face(slanted_face).is_slanted) ++slanted_face;
  return {{"is_single", is_single},
          {"sizes", std::move(definitions)},
          {"order", values_of(layout_.order)},
          {"is_blocked", is_blocked()},
          {"boundaries_move", lowered_.boundaries_move},
          {"in_basis_of_element", basis_.has_value()},
          {"axes", std::move(axes)},
          {"slanted_face", slanted_face},
          {"has_ranges", options_.has_ranges},
          {"vector", vector_size()},
          {"components", rtcg::Value::List(vector_components.begin(), vector_components.begin() + vector_size())}};
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

rtcg::Value::List FusedGenerator::basis_changes() const {
  if (!basis_) return {};
  return {rtcg::Record{{"name", "to_cartesian"},
                       {"direction", "from the basis of the element to components along x, y and z"},
                       {"values", printed(basis_->cartesian)}},
          rtcg::Record{{"name", "from_cartesian"},
                       {"direction", "from components along x, y and z to the basis of the element"},
                       {"values", printed(basis_->stored)}}};
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

}  // namespace maxwell_dg::dg
