#include "dg/codegen/face_traces.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Variance = ElementBasis::Variance;
using List = rtcg::Value::List;

namespace {

constexpr int slanted_face = 2;
static_assert(frame_of_face(slanted_face).is_slanted);

const char* word_of(Variance variance) {
  switch (variance) {
    case Variance::scalar: return "scalar";
    case Variance::covariant: return "covariant";
    case Variance::contravariant: return "contravariant";
  }
  throw std::logic_error("no variance");
}

List values_of(const std::vector<ElementBasis::Quantity>& quantities) {
  List list;
  for (const auto& [variance, first] : quantities) {
    list.emplace_back(rtcg::Record{{"variance", word_of(variance)}, {"first", first}});
  }
  return list;
}

/// Of the symbols `edges` 0 to 2: the invariants that they are on each face, also as the bytes of a number, and those
/// that they have besides on the slanted one, by the axes of its frame.
List edges_of_faces() {
  List list;
  for (int i = 0; i < 3; ++i) {
    const auto first = i == 2 ? &FaceFrame::b : &FaceFrame::a, second = i == 0 ? &FaceFrame::a : &FaceFrame::b;
    List of_faces;
    std::string bytes;  // of a face each, the first the lowest
    for (int f = 0; f < ReferenceElement::Nfaces; ++f) {
      const int product = product_of_tangents(frame_of_face(f).*first, frame_of_face(f).*second);
      of_faces.emplace_back(product);
      bytes = "0" + number(product) + bytes;
    }
    constexpr FaceFrame slanted = frame_of_face(slanted_face);
    list.emplace_back(rtcg::Record{{"of_faces", std::move(of_faces)},
                                   {"bytes", bytes},
                                   {"a_c", product_of_tangents(slanted.*first, slanted.c)},
                                   {"b_c", product_of_tangents(slanted.*second, slanted.c)},
                                   {"c_c", product_of_tangents(slanted.c, slanted.c)}});
  }
  return list;
}

List orientations() {
  List list;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) list.emplace_back(number(orientation_of_face(face)));
  return list;
}

}  // namespace

FaceTraces::FaceTraces(const LoweredSystem& lowered, std::optional<ElementBasis> basis, const StateLayout& layout,
                       Dtype precision)
    : lowered_(lowered),
      basis_(std::move(basis)),
      slots_(basis_ ? layout.order : FieldOrder{.fields = static_cast<int>(lowered.outside_fields.size())}),
      Np_(layout.Np),
      row_nodes_(layout.row_nodes),
      field_stride_(field_stride(layout)),
      precision_(precision) {}

std::vector<ElementBasis::Quantity> FaceTraces::quantities_of_rows() const {
  std::vector<ElementBasis::Quantity> first;
  std::ranges::copy_if(basis_->quantities, std::back_inserter(first),
                       [&](const auto& q) { return slots_.column(q.first) == 0; });
  return first;
}

bool FaceTraces::has(Variance variance) const {
  return basis_ && std::ranges::any_of(basis_->quantities, [&](const auto& q) { return q.variance == variance; });
}

bool FaceTraces::can_share_copies(int items) const {
  if (items == 1) return true;
  if (!basis_) {
    const std::vector<int>& fields = lowered_.outside_fields;
    return !fields.empty() && fields.back() + 1 == slots_.fields && slots_.fields % items == 0;
  }
  const auto quantities = quantities_of_rows();
  return static_cast<int>(quantities.size()) == items &&
         std::ranges::all_of(quantities, [&](const auto& q) { return q.variance == quantities.front().variance; });
}

List FaceTraces::places_along_axes() const {
  List list;
  if (2 * row_nodes_ + Np_ > 256) return list;
  const auto add = [&](const char* name, int FaceFrame::*axis) {
    unsigned offsets = 0;
    for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
      offsets |= static_cast<unsigned>(frame_of_face(face).*axis * row_nodes_) << static_cast<unsigned>(8 * face);
    }
    list.emplace_back(List{name, std::to_string(offsets)});
  };
  if (has(Variance::covariant)) {
    add("places_a", &FaceFrame::a);
    add("places_b", &FaceFrame::b);
  }
  if (has(Variance::contravariant)) add("places_c", &FaceFrame::c);
  return list;
}

rtcg::Record FaceTraces::values() const {
  rtcg::Record values{{"in_basis", basis_.has_value()},
                      {"field_stride", field_stride_},
                      {"side_by_side", slots_.side_by_side},
                      {"rows", slots_.rows()},
                      {"slots", slots_.fields},
                      {"outside_fields", dg::values_of(lowered_.outside_fields)},
                      {"places_along_axes", places_along_axes()}};
  if (!basis_) return values;
  const Program cartesian(basis_->cartesian), stored(basis_->stored);
  values.insert({{"quantities", values_of(basis_->quantities)},
                 {"quantities_of_rows", values_of(quantities_of_rows())},
                 {"edges", edges_of_faces()},
                 {"orientations", orientations()},
                 {"cartesian", values_by_kind(cartesian, print_reals(cartesian, precision_))},
                 {"stored_outside", values_by_kind(stored, print_reals(stored, precision_))}});
  return values;
}

}  // namespace maxwell_dg::dg
