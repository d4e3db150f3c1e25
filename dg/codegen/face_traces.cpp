#include "dg/codegen/face_traces.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "dg/lowering/affine_map.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using namespace rtcg::syntax;

FaceTraces::FaceTraces(const LoweredSystem& lowered, std::optional<ElementBasis> basis, const StateLayout& layout,
                       Dtype precision)
    : lowered_(lowered),
      basis_(std::move(basis)),
      places_(basis_ ? layout.order : FieldOrder{.fields = static_cast<int>(lowered.outside_fields.size())}),
      Np_(layout.Np),
      row_nodes_(layout.row_nodes),
      field_stride_(field_stride(layout)),
      precision_(precision) {}

std::vector<ElementBasis::Quantity> FaceTraces::quantities_of_rows() const {
  std::vector<ElementBasis::Quantity> first;
  std::ranges::copy_if(basis_->quantities, std::back_inserter(first),
                       [&](const auto& q) { return places_.column(q.first) == 0; });
  return first;
}

bool FaceTraces::has(ElementBasis::Variance variance) const {
  return basis_ && std::ranges::any_of(basis_->quantities, [&](const auto& q) { return q.variance == variance; });
}

bool FaceTraces::can_share_copies(int items) const {
  if (items == 1) return true;
  if (!basis_) {
    const std::vector<int>& fields = lowered_.outside_fields;
    return !fields.empty() && fields.back() + 1 == places() && places() % items == 0;
  }
  const auto quantities = quantities_of_rows();
  return static_cast<int>(quantities.size()) == items &&
         std::ranges::all_of(quantities, [&](const auto& q) { return q.variance == quantities.front().variance; });
}

bool FaceTraces::places_fit_in_bytes() const {
  return 2 * row_nodes_ + Np_ <= 256;
}

Block FaceTraces::places_of_node() const {
  std::string bytes;
  for (int face = 0; face < 4; ++face) {
    const std::string f = number(face);
    bytes += (face > 0 ? " | " : "") + ("(uint32)Fmask[" + f + " * NFP + node] << " + number(8 * face));
  }
  Block block{Declare("const uint32", "places", bytes)};
  const auto declare = [&](const std::string& name, int FaceFrame::*axis) {
    unsigned offsets = 0;
    for (int face = 0; face < 4; ++face) {
      offsets |= static_cast<unsigned>(frame_of_face(face).*axis * row_nodes_) << static_cast<unsigned>(8 * face);
    }
    block += Declare("const uint32", name, "places + " + std::to_string(offsets) + "u");
  };
  if (!places_fit_in_bytes()) return block;
  if (has(ElementBasis::Variance::covariant)) {
    declare("places_a", &FaceFrame::a);
    declare("places_b", &FaceFrame::b);
  }
  if (has(ElementBasis::Variance::contravariant)) declare("places_c", &FaceFrame::c);
  return block;
}

Block FaceTraces::copy(const std::string& stride, int items) const {
  return copies({.node = "byte_of(places, side)",
                 .on_slanted_face = "byte_of(places, SLANTED_FACE)",
                 .along_axes_in_bytes = places_fit_in_bytes()},
                stride, items);
}

Block FaceTraces::copy_of_node(const std::string& stride) const {
  return copies({.node = "other_node", .on_slanted_face = "other_node", .along_axes_in_bytes = false}, stride, 1);
}

Block FaceTraces::copies(const NodePlace& place_of, const std::string& stride, int items) const {
  const auto copy = [&](int row, const std::string& node, int field) {
    const std::string to = "trace + " + number(row) + " * " + stride;
    const std::string place = node + " + " + number(field) + " * " + field_stride_;
    if (places_.side_by_side == 2) return Line("COPY_PAIR_ASYNC(" + to + ", q + (" + place + ") * 2);");
    return Line("COPY_REAL_ASYNC(" + to + ", q + " + place + ");");
  };
  const std::string &node = place_of.node, &slanted = place_of.on_slanted_face;
  Block block, on_slanted_face;
  if (!basis_) {
    for (int i = 0; i < places() / items; ++i) block += copy(i, node, lowered_.outside_fields[index(i)]);
    return block;
  }
  const auto along = [&](const std::string& places, const std::string& axis) {
    return place_of.along_axes_in_bytes ? "byte_of(" + places + ", side)"
                                        : "(" + node + " + " + axis + "(side) * " + field_stride_ + ")";
  };
  const std::string a = along("places_a", "AXIS_A"), b = along("places_b", "AXIS_B"), c = along("places_c", "AXIS_C");
  const auto quantities = quantities_of_rows();
  for (std::size_t i = 0; i < quantities.size() / index(items); ++i) {
    const auto [variance, f] = quantities[i];
    switch (variance) {
      case ElementBasis::Variance::scalar: block += copy(f, node, f); break;
      case ElementBasis::Variance::covariant:
        block += copy(f, a, f);
        block += copy(f + 1, b, f);
        on_slanted_face += copy(f + 2, slanted, f);
        break;
      case ElementBasis::Variance::contravariant:
        block += copy(f, c, f);
        on_slanted_face += copy(f + 1, slanted, f + 1);
        on_slanted_face += copy(f + 2, slanted, f + 2);
        break;
    }
  }
  block += If("side == SLANTED_FACE", on_slanted_face);
  return block;
}

Block FaceTraces::declare_inside(std::span<const Expr> fluxes, const std::function<std::string(int, Component)>& value,
                                 std::optional<bool> is_slanted) const {
  const std::set<Symbol> wanted = symbols_of(fluxes, Kind::field);
  Block block;
  if (!basis_) {
    for (const Symbol& s : wanted) {
      if (s.side == Side::inside) block += declare_symbol(s, value(s.index, Component::r), "real");
    }
    return block;
  }
  const auto declare = [&](int f, const std::string& there, const std::string& elsewhere) {
    const Symbol trace{.kind = Kind::field, .index = f};
    const std::string either = "is_slanted ? " + there + " : " + elsewhere;
    if (wanted.contains(trace)) {
      block += declare_symbol(trace, !is_slanted ? either : *is_slanted ? there : elsewhere, "real");
    }
  };
  for (const auto& [variance, f] : basis_->quantities) {
    if (variance == ElementBasis::Variance::scalar) {
      declare(f, value(f, Component::r), value(f, Component::r));
    } else if (variance == ElementBasis::Variance::covariant) {
      const std::string a = value(f, Component::a), b = value(f, Component::b);
      std::string third = value(f, Component::r);
      const bool is_known = is_slanted.has_value();
      if (!is_known) {  // read by itself: not at all where no item of a warp is on a slanted face
        block += Declare("const real", "inside_" + number(f), "is_slanted ? " + third + " : 0");
        third = "inside_" + number(f);
      }
      declare(f, a + " - " + third, is_known ? a : a + " - " + third);
      declare(f + 1, b + " - " + third, is_known ? b : b + " - " + third);
    } else {
      const std::string first = value(f, Component::c);
      declare(f, first + " + " + value(f, Component::s) + " + " + value(f, Component::t), "-" + first);
    }
  }
  return block;
}

Block FaceTraces::declare_outside(std::span<const Expr> fluxes, const TextOfPlace& place) const {
  const std::set<Symbol> wanted = symbols_of(fluxes, Kind::field);
  Block block;
  const auto pair = [](int row) { return "outside_" + number(row); };
  if (places_.side_by_side == 2) {
    const auto load = [&](int row) { return "*(SHARED_PART const pair_of_reals*)&" + place(row, 0); };
    for (const auto& [variance, f] : quantities_of_rows()) {
      const int components = variance == ElementBasis::Variance::scalar ? 1 : 3;
      const int always = variance == ElementBasis::Variance::covariant ? 2 : 1;
      for (int row = f; row < f + always; ++row) block += Declare("const pair_of_reals", pair(row), load(row));
      Block on_slanted_face;
      for (int row = f + always; row < f + components; ++row) {
        block += Line("pair_of_reals " + pair(row) + ";");
        for (const std::string column : {"x", "y"}) block += Assign(pair(row) + "." + column, "0");
        on_slanted_face += Assign(pair(row), load(row));
      }
      if (!on_slanted_face.empty()) block += If("other_is_slanted", std::move(on_slanted_face));
    }
  }
  const auto value = [&](int i) {
    const int row = places_.row(i), column = places_.column(i);
    return places_.side_by_side == 2 ? pair(row) + (column == 0 ? ".x" : ".y") : place(row, column);
  };
  const auto declare = [&](int f, const std::string& text) {
    const Symbol trace{.kind = Kind::field, .index = f, .side = Side::outside};
    if (wanted.contains(trace)) block += declare_symbol(trace, text, "real");
  };
  if (!basis_) {
    for (int i = 0; i < places(); ++i) declare(lowered_.outside_fields[index(i)], value(i));
    return block;
  }
  for (const auto& [variance, f] : basis_->quantities) {
    if (variance == ElementBasis::Variance::scalar) {
      declare(f, value(f));
      continue;
    }
    const std::string first = value(f), second = value(f + 1), third = value(f + 2);
    if (variance == ElementBasis::Variance::covariant) {
      const std::string name = "third_" + number(f);
      block += Declare("const real", name, "other_is_slanted ? " + third + " : 0");
      declare(f, first + " - " + name);
      declare(f + 1, second + " - " + name);
    } else {
      declare(f, "other_is_slanted ? " + first + " + " + second + " + " + third + " : -" + first);
    }
  }
  return block;
}

Block FaceTraces::declare_other_face(const std::string& neighbour, const std::string& face) const {
  if (!basis_) return {};
  return {Declare("const bool", "other_is_slanted",
                  "(" + neighbour + " < 0 ? (int32)" + face + " : " + neighbour + " & 3) == SLANTED_FACE")};
}

Block FaceTraces::declare_edges(std::span<const Expr> fluxes, std::optional<int> face, const TextOf& invariant) const {
  constexpr int slanted_face = 2;
  static_assert(frame_of_face(slanted_face).is_slanted);
  const auto product = [&](int a, int b) { return invariant(number(product_of_tangents(a, b))); };
  Block block;
  for (const LoweredSymbol& s : symbols_of(fluxes, Lowered::edges)) {
    if (s.number == 3) {
      block += declare_symbol(s, number(orientation_of_face(face.value())), "real");
      continue;
    }
    const auto first = s.number == 2 ? &FaceFrame::b : &FaceFrame::a;
    const auto second = s.number == 0 ? &FaceFrame::a : &FaceFrame::b;
    const auto of_face = [&](int f) { return product_of_tangents(frame_of_face(f).*first, frame_of_face(f).*second); };
    // (x_a - x_c) . (x_b - x_c)
    const FaceFrame slanted = frame_of_face(slanted_face);
    const std::string less = product(slanted.*first, slanted.c) + " + " + product(slanted.*second, slanted.c) + " - " +
                             product(slanted.c, slanted.c);
    if (face) {
      const std::string of_axes = invariant(number(of_face(*face)));
      block += declare_symbol(s, *face == slanted_face ? of_axes + " - (" + less + ")" : of_axes, "real");
    } else {
      std::string bytes;  // of a face each, the first the lowest
      for (int f = 3; f >= 0; --f) bytes += "0" + number(of_face(f));
      block += declare_symbol(s, invariant("byte_of(0x" + bytes + "u, face)") + " - (is_slanted ? " + less + " : 0)",
                              "real");
    }
  }
  return block;
}

Block FaceTraces::load_metric() {
  return {Line("real G[9];  // rx ry rz sx sy sz tx ty tz"),
          For("i", "0", "9", {Assign("G[i]", "metric[(int64)(first + e) * 9 + i]")})};
}

Block FaceTraces::inside_of_boundary(const TextOf& own) const {
  if (!basis_) return {For("f", "0", "NFIELDS", {Assign("q_m[f]", own("f"))})};
  return {Scope(put_fields(basis_->cartesian, precision_, own, [](const std::string& f) { return "q_m[" + f + "]"; }))};
}

Block FaceTraces::replace_outside(const TextOf& place) const {
  Block block;
  if (!basis_) {
    for (int i = 0; i < places(); ++i) block += Assign(place(number(i)), "(real)" + at("q_p", i));
    return block;
  }
  block += declare_metric(basis_->stored, "G");
  const PrintedCode code = print_reals(Program(basis_->stored), precision_, [&](const AnySymbol& s) {
    const Symbol* q = of_kind(s, Kind::field);
    if (q == nullptr) return name_in_kernel(s);
    const auto found = std::ranges::find(lowered_.outside_fields, q->index);
    if (found == lowered_.outside_fields.end()) return std::string("0");
    return "(real)" + at("q_p", static_cast<int>(found - lowered_.outside_fields.begin()));
  });
  append(block, code.lines);
  for (const auto& [variance, f] : basis_->quantities) {
    if (variance == ElementBasis::Variance::scalar) {
      block += Assign(place(number(f)), code.results[index(f)]);
      continue;
    }
    for (int axis = 0; axis < 3; ++axis) {
      // As they are copied: along the edges, then the one across; or that first. Each side's own normal is meant.
      const bool is_along = variance == ElementBasis::Variance::covariant;
      const auto is_axis = [&](const std::string& which) { return "AXIS_" + which + "(face) == " + number(axis); };
      const std::string second = is_axis(is_along ? "B" : "A"), third = is_axis(is_along ? "C" : "B");
      const std::string value = code.results[index(f + axis)];
      block += Assign(place("(" + number(f) + " + (" + second + " ? 1 : " + third + " ? 2 : 0))"),
                      is_along ? value : "-(" + value + ")");
    }
  }
  return {Scope(std::move(block))};
}

}  // namespace maxwell_dg::dg
