// TileGenerator: traces from neighbours and walls, and the fluxes of both sides.
#include <algorithm>
#include <bit>
#include <map>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/tiles/kernel_texts.hpp"
#include "dg/codegen/tiles/tile_generator.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Lowered = LoweredSymbol::Kind;
using Component = FaceTraces::Component;
using namespace rtcg::syntax;

/// The normal and invariants of a face; by whole vectors where those hold four numbers.
Block TileGenerator::load_face() const {
  const bool by_vectors = sizes_.numbers_at_once == 4;
  Block block;
  for (int v = 0; by_vectors && v < sizes_.values_of_a_face / 4; ++v) {
    block += Declare("const vector", "face" + std::to_string(v),
                     "*(SHARED_PART const vector*)(of_face + " + std::to_string(4 * v) + ")");
  }
  const auto value = [&](int i) {
    return by_vectors ? "face" + std::to_string(i / 4) + "." + std::string(1, "xyzw"[i % 4]) : at("of_face", i);
  };
  const int normal = rows_have_normals() ? 3 : 0;
  if (normal > 0) block += Line("const real nx = " + value(0) + ", ny = " + value(1) + ", nz = " + value(2) + ";");
  for (const LoweredSymbol& s : symbols_of(contracted_.flux, Lowered::invariant)) {
    block += declare_symbol(s, value(normal + s.number), "real");
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

Block TileGenerator::normal_of_boundary() const {
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

Statement TileGenerator::store_on_slanted(const std::string& place, const std::string& value) const {
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
    const std::string name = number(f), first = "flux_" + name, second = "flux_" + number(f + 1);
    const auto along = [&](const std::string& axis) { return place("(" + name + " + " + axis + ")"); };
    block += Declare("const real", first, code.results[index(f)]);
    if (variance == ElementBasis::Variance::scalar) {
      block += Assign(place(number(f)), first);
    } else if (variance == ElementBasis::Variance::covariant) {
      block += Declare("const real", second, code.results[index(f) + 1]);
      block += Assign(along("axis_a"), first);
      block += Assign(along("axis_b"), second);
      block += store_on_slanted(along("axis_c"), "-(" + first + " + " + second + ")");
    } else {
      block += store_on_slanted(along("axis_a"), first);
      block += store_on_slanted(along("axis_b"), first);
      block += Assign(along("axis_c"), "is_slanted ? " + first + " : -" + first);
    }
  }
  return block;
}

int TileGenerator::faces_a_pass() const {
  const int faces = 4 * elements_per_group(),
            most = group_items() / std::min(group_items(), sizes_.places.items_a_face());
  const int whole = std::min(faces, static_cast<int>(std::bit_floor(static_cast<unsigned>(most))));
  const int passes = ceil_divide(faces, most);
  return faces % whole == 0 && faces / whole <= passes + 1 ? whole : ceil_divide(faces, passes);
}

std::string TileGenerator::load_neighbour() const {
  return "const int32 neighbour = connected[e * 4 + face];";
}

std::string TileGenerator::boundary_of_item(const std::string& wall) const {
  return rtcg::substitute("if (neighbour < 0) {\n  ${wall}\n}", {{"wall", wall}});
}

std::string TileGenerator::gather() const {
  if (!by_node()) {
    return rtcg::substitute(kernels::stage_gather, {{"places_of_node", text_of(traces_.places_of_node())},
                                                    {"neighbour", "connected[face]"},
                                                    {"side_or_node", "side = other & 3"},
                                                    {"offset_of_neighbour", offset_of_neighbour("4")},
                                                    {"gather_traces", text_of(traces_.copy("FLUXES"))}});
  }
  return rtcg::substitute(
      kernels::stage_gather,
      {{"places_of_node", "// The neighbour's node is read: which face of it this is matters only for its components."},
       {"neighbour", "(int32)face < present * 4 ? outside_nodes[((int64)first * 4 + face) * NFP + node] : -1"},
       {"side_or_node", std::string("other_node = other % NP") + (basis_ ? ", side = connected[face] & 3" : "")},
       {"offset_of_neighbour", offset_of_neighbour("NP")},
       {"gather_traces", text_of(traces_.copy_of_node("FLUXES"))}});
}

std::string TileGenerator::offset_of_neighbour(const std::string& numbers_an_element) const {
  const std::string other = "(other / " + numbers_an_element + ")";
  if (!is_blocked()) return "(int64)" + other + " * ELEMENT_SIZE";
  const std::string element = "(uint32)" + other;
  return "(int64)(" + element + " / ELEMENTS) * (ELEMENTS * ELEMENT_SIZE) + " + element + " % ELEMENTS * NP";
}

}  // namespace maxwell_dg::dg
