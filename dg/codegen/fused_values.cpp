// FusedGenerator: the sizes and the printed equations that the texts of stages in one kernel have in common.
#include <algorithm>
#include <array>
#include <optional>

#include "dg/codegen/fused_generator.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/mirror_sums.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

namespace {

/// How far ahead a group prefetches to L2 what a later one begins with. On an H200 16 to 192 are within 1 % of each
/// other, and 512 is up to 5 % slower.
constexpr int groups_ahead = 64;

}  // namespace

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
  rtcg::Value::List definitions;
  for (const auto& [name, size] : sizes) definitions.emplace_back(rtcg::Value::List{name, size});
  const auto bytes = [](int FaceFrame::*axis) {
    std::string digits;  // of a face each, the first the lowest
    for (int face = 3; face >= 0; --face) digits += "0" + number(frame_of_face(face).*axis);
    return digits;
  };
  int slanted_face = 0;
  while (!frame_of_face(slanted_face).is_slanted) ++slanted_face;
  return {{"is_single", is_single},
          {"sizes", std::move(definitions)},
          {"order", values_of(layout_.order)},
          {"is_blocked", is_blocked()},
          {"boundaries_vary", lowered_.boundaries_vary},
          {"in_basis_of_element", basis_.has_value()},
          {"axes", rtcg::Record{{"a", bytes(&FaceFrame::a)}, {"b", bytes(&FaceFrame::b)}, {"c", bytes(&FaceFrame::c)}}},
          {"slanted_face", slanted_face},
          {"has_ranges", options_.has_ranges},
          {"run", rows_.run},
          {"vector", vector_size()},
          {"components", rtcg::Value::List(vector_components.begin(), vector_components.begin() + vector_size())}};
}

rtcg::Value::List FusedGenerator::mirror_axes() const {
  rtcg::Value::List components;
  for (const std::array<double, 3>& factors : MirrorSums::gradients) {
    for (int axis = 0; axis < 3; ++axis) {
      const Expr sum = combination(factors, [&](int b) { return gradient_of(b)[axis]; });
      components.emplace_back(printed(std::span(&sum, 1)));
    }
  }
  return components;
}

rtcg::Record FusedGenerator::printed(std::span<const Expr> expressions) const {
  return values_by_kind(Program(expressions), print(expressions));
}

rtcg::Record FusedGenerator::prepare_values(int values_of_an_element, int values_of_a_face) const {
  // Between mirror sums derivatives are not along r, s and t (MirrorSums::derivatives).
  const bool along_mirror_axes = !basis_ && options_.schedule.traits().has_mirror_sums;
  rtcg::Value::List gradients;  // that a face's normal is along; -1: along the sum of all
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) gradients.emplace_back(axis_of_face(face).value_or(-1));
  return {{"items", prepare_items},
          {"block", invariant_block()},
          {"row", invariant_row()},
          {"values_of_an_element", values_of_an_element},
          {"values_of_a_face", values_of_a_face},
          {"mirror_axes", along_mirror_axes ? mirror_axes() : rtcg::Value::List{}},
          {"of_element", printed(contracted_.element_invariants)},
          {"of_face", printed(contracted_.face_invariants)},
          {"keeps_metric", rows_have_metric()},
          {"keeps_normals", rows_have_normals()},
          {"in_basis_of_element", basis_.has_value()},
          {"gradient_of_face", std::move(gradients)}};
}

rtcg::Value::List FusedGenerator::term_values(const Print& print) const {
  return values_of(terms_, options_.schedule.lanes(), Np_, real_bytes(), print);
}

rtcg::Record FusedGenerator::basis_changes() const {
  if (!basis_) return {};
  return {{"to_cartesian", printed(basis_->cartesian)},
          {"from_cartesian", printed(basis_->stored)},
          {"has_curved", options_.has_curved}};
}

}  // namespace maxwell_dg::dg
