#include "dg/operator/fused_generator.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "core/round_up.hpp"
#include "dg/kernels/kernel_texts.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/operator/affine_map.hpp"
#include "dg/operator/element_generator.hpp"
#include "dg/operator/kernel_code.hpp"
#include "dg/operator/lane_generator.hpp"
#include "dg/operator/mirror_tile_generator.hpp"
#include "dg/operator/stage_kernels.hpp"
#include "dg/operator/tile_generator.hpp"
#include "dg/reference/mirror_sums.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using namespace rtcg::syntax;

int row_apart(int values) {
  return round_up(values - 4, 8) + 4;
}

int count_of(std::span<const Expr> list) {
  return std::max(1, static_cast<int>(list.size()));
}

std::string at(const std::string& array, int i) {
  return array + "[" + std::to_string(i) + "]";
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

std::set<Symbol> symbols_of(std::span<const Expr> expressions, Kind kind) {
  std::set<Symbol> found;
  for (const Symbol& s : Program(expressions).symbols()) {
    if (s.kind == kind) found.insert(s);
  }
  return found;
}

Block declare_metric(std::span<const Expr> expressions, const std::string& G) {
  const auto gradient = [&](int a, int axis) { return at(G, 3 * (a % 3) + axis % 3); };
  Block block;
  for (const Symbol& s : symbols_of(expressions, Kind::metric)) {
    const int a = s.index / 3, axis = s.index % 3;  // a tangent over J is the cross product of the other gradients
    block += declare_symbol(s,
                            s.index < 9 ? gradient(a, axis)
                                        : gradient(a + 1, axis + 1) + " * " + gradient(a + 2, axis + 2) + " - " +
                                              gradient(a + 1, axis + 2) + " * " + gradient(a + 2, axis + 1),
                            "real");
  }
  return block;
}

std::unique_ptr<FusedGenerator> FusedGenerator::make(const LoweredSystem& lowered, Options options) {
  if (options.schedule.slicing == Schedule::Slicing::elements_in_parallel) {
    return std::make_unique<ElementGenerator>(lowered, std::move(options));
  }
  if (options.schedule.slicing == Schedule::Slicing::lanes_in_vectors) {
    return std::make_unique<LaneGenerator>(lowered, std::move(options));
  }
  if (options.schedule.multiplies_mirror_sums()) {
    return std::make_unique<MirrorTileGenerator>(lowered, options);
  }
  return std::make_unique<TileGenerator>(lowered, std::move(options));
}

namespace {

/// How far ahead a group announces to L2 what a later one begins with. On an H200 16 to 192 are within 1 % of each
/// other, and 512 is up to 5 % slower.
constexpr int groups_ahead = 64;

/// Where an item has whole faces: at each node it would cost more than reading the numbers. Complements save nothing
/// where the numbers of a face are padded.
MadeOnFaces made_on_faces(const Schedule& schedule) {
  const bool by_elements = schedule.slicing == Schedule::Slicing::elements_in_parallel;
  return {.edges = by_elements || schedule.fluxes == Schedule::Fluxes::by_face, .complements = by_elements};
}

std::optional<ElementBasis> basis_of(const LoweredSystem& lowered, const Schedule& schedule) {
  if (schedule.basis == Schedule::Basis::cartesian) return std::nullopt;
  std::optional<ElementBasis> basis = element_basis(lowered);
  if (!basis || schedule.slicing == Schedule::Slicing::lanes_in_vectors) {
    throw std::invalid_argument("schedule " + schedule.name() +
                                ": this system's state cannot be kept in the basis of the element");
  }
  return basis;
}

}  // namespace

FusedGenerator::FusedGenerator(const LoweredSystem& lowered, Options options, bool metric_is_at_hand)
    : lowered_(lowered),
      options_(std::move(options)),
      basis_(basis_of(lowered, options_.schedule)),
      contracted_(basis_ ? contract(lowered, *basis_, made_on_faces(options_.schedule),
                                    options_.schedule.multiplies_mirror_sums() ? Axes::mirror : Axes::reference)
                         : contract(lowered, metric_is_at_hand)),
      Np_(node_count(options_.N)),
      Nfp_(face_node_count(options_.N)),
      fields_(static_cast<int>(lowered.volume.size())),
      element_size_(options_.schedule.block_values(fields_ * Np_)) {
  const bool has_lanes = options_.schedule.slicing == Schedule::Slicing::lanes_in_vectors;
  if ((options_.schedule.lanes != 1 && !has_lanes) || options_.schedule.node_padding != 1) {
    throw std::invalid_argument(
        "schedule " + options_.schedule.name() +
        ": a stage in one kernel needs node_padding = 1, and lanes = 1 but with lanes_in_vectors");
  }
  if (options_.schedule.parts == Schedule::Parts::apart) return;
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
      {"RESIDENT_GROUPS", options_.schedule.resident_groups},
      {"ON_CHIP_VALUES", static_cast<int>(on_chip_bytes() / real_bytes())}};
  sizes.insert(sizes.end(), more.begin(), more.end());
  for (const auto& [name, value] : sizes) text += Line("#define " + name + " " + std::to_string(value));
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
  return rtcg::syntax::print(text) + "\n" + std::string(kernels::on_chip) + "\n";
}

rtcg::KernelSource FusedGenerator::source(const std::string& body) const {
  return {.name = "stage_" + options_.system + "_N" + std::to_string(options_.N) + "_" +
                  std::string(name_of(options_.precision)) + "_" + options_.schedule.name() + ".kernel",
          .text = body};
}

PrintedCode FusedGenerator::print(std::span<const Expr> outputs,
                                  std::function<std::string(const Symbol&)> name_of) const {
  return symbolic::print(Program(outputs), {.dtype = options_.precision,
                                            .type = "real",
                                            .prefix = "v",
                                            .name_of = name_of ? std::move(name_of) : name_in_kernel});
}

/// `along`: gradients of coordinates that the reflections keep or turn round, from the gradients G.
Block FusedGenerator::declare_mirror_axes() const {
  Block block{Line("real along[9];")};
  for (std::size_t a = 0; a < 3; ++a) {
    for (int axis = 0; axis < 3; ++axis) {
      const Expr sum = combination(MirrorSums::gradients.at(a), [&](int b) { return gradient_of(b)[axis]; });
      const PrintedCode code = print(std::span(&sum, 1), [](const Symbol& s) { return at("G", s.index); });
      append(block, code.lines);
      block += Assign(at("along", static_cast<int>(3 * a) + axis), code.results.front());
    }
  }
  return block;
}

std::vector<Expr> FusedGenerator::of_contractions(const Part& part) const {
  std::vector<Expr> volume;
  for (const int f : part.fields) volume.push_back(without(contracted_.volume[index(f)], Kind::field));
  return volume;
}

std::vector<Expr> FusedGenerator::of_node() const {
  std::vector<Expr> volume;
  for (const Expr& e : basis_ ? contracted_.equations : contracted_.volume) {
    volume.push_back(without(e, Kind::contraction));
  }
  return volume;
}

std::string FusedGenerator::prepare(int values_of_an_element, int values_of_a_face) const {
  const int metric = rows_have_metric() ? 9 : 0, normal = rows_have_normals() ? 3 : 0;
  const std::pair<const char*, int> sizes[] = {{"PREPARE_ITEMS", prepare_items},
                                               {"INVARIANT_BLOCK", invariant_block()},
                                               {"INVARIANT_ROW", invariant_row()},
                                               {"FACE_INVARIANTS", values_of_an_element},  // where they begin
                                               {"A_FACE", values_of_a_face}};
  Block text;
  for (const auto& [name, size] : sizes) text += Line(std::string("#define ") + name + " " + number(size));
  const auto keep = [](Block& block, const std::string& row, int i, const std::string& value) {
    block += Assign(row + "[" + number(i) + " * INVARIANT_BLOCK]", value);
  };
  const auto compute = [&](Block& block, const std::vector<Expr>& invariants, const std::string& row, int first) {
    for (const Symbol& s : symbols_of(invariants, Kind::parameter)) {
      block += declare_symbol(s, at(s.side == Side::inside ? "constants_m" : "constants_p", s.index), "real");
    }
    const PrintedCode code = print(invariants);
    append(block, code.lines);
    for (std::size_t i = 0; i < code.results.size(); ++i) {
      keep(block, row, first + static_cast<int>(i), code.results[i]);
    }
  };

  const bool is_along = multiplies_mirror_sums() && !basis_;
  Block of_element = is_along ? declare_mirror_axes() : Block{}, of_face;
  of_element += declare_metric(contracted_.element_invariants, is_along ? "along" : "G");
  for (int i = 0; i < metric; ++i) keep(of_element, "of_element", i, at("G", i));
  compute(of_element, contracted_.element_invariants, "of_element", metric);
  const std::set<Symbol> normals = symbols_of(contracted_.face_invariants, Kind::normal);
  for (int axis = 0; axis < 3; ++axis) {
    const Symbol n{.kind = Kind::normal, .index = axis};
    if (rows_have_normals() || normals.contains(n)) of_face += declare_symbol(n, at("n", axis) + " / Fscale", "real");
    if (rows_have_normals()) keep(of_face, "of_face", axis, name_in_kernel(n));
  }
  if (basis_) {
    of_face += Comment("The frame of the face: see FaceFrame.");
    of_face += Line("real frame[9];");
    of_face += For(
        "axis", "0", "3",
        {Assign("frame[axis]", "G[3 * AXIS_A(face) + axis]"), Assign("frame[3 + axis]", "G[3 * AXIS_B(face) + axis]"),
         Assign("frame[6 + axis]", "(AXIS_C(face) == 1 ? -1 : 1) * G[3 * AXIS_C(face) + axis]")});
    of_face += declare_metric(contracted_.face_invariants, "frame");
  }
  compute(of_face, contracted_.face_invariants, "of_face", normal);
  return rtcg::syntax::print(text) + rtcg::substitute(kernels::prepare, {{"element_invariants", text_of(of_element)},
                                                                         {"scaled_normal", scaled_normal("axis")},
                                                                         {"face_invariants", text_of(of_face)}});
}

Block FusedGenerator::convert(const std::vector<Expr>& values, const TextOf& from, const TextOf& to) const {
  Block block = declare_metric(values, "G");
  for (int f = 0; f < fields_; ++f) {
    block += declare_symbol({.kind = Kind::field, .index = f}, from(number(f)), "real");
  }
  const PrintedCode code = print(values);
  append(block, code.lines);
  for (int f = 0; f < fields_; ++f) block += Assign(to(number(f)), code.results[index(f)]);
  return block;
}

std::string FusedGenerator::basis_changes() const {
  if (!basis_) return "";
  const auto kernel = [&](const std::string& name, const std::string& direction, const std::vector<Expr>& values) {
    const auto at_node = [](const std::string& array) {
      return [array](const std::string& f) { return array + "[" + f + " * NP]"; };
    };
    const Block change = convert(values, at_node("q"), at_node("changed"));
    return rtcg::substitute(kernels::basis, {{"name", name}, {"direction", direction}, {"change", text_of(change)}});
  };
  return kernel("to_cartesian", "from the basis of the element to components along x, y and z", basis_->cartesian) +
         kernel("from_cartesian", "from components along x, y and z to the basis of the element", basis_->stored);
}

int FusedGenerator::most_fields_of_a_part() const {
  return static_cast<int>(std::ranges::max(contracted_.parts, {}, &std::vector<int>::size).size());
}

std::vector<std::int32_t> FusedGenerator::node_words(const ReferenceElement& reference) const {
  return face_nodes(reference);
}

FusedGenerator::Part FusedGenerator::part(std::size_t number) const {
  Part part{.fields = contracted_.parts[number]};
  std::set<int> contractions, operands;
  for (const int f : part.fields) {
    part.volume.push_back(contracted_.volume[static_cast<std::size_t>(f)]);
    part.names += (part.names.empty() ? "" : ", ") + std::to_string(f);
  }
  for (const Symbol& s : symbols_of(part.volume, Kind::contraction)) contractions.insert(s.index);
  part.contractions.assign(contractions.begin(), contractions.end());
  for (const int c : part.contractions) {
    for (const Contraction::Term& t : contracted_.contractions[static_cast<std::size_t>(c)].terms) {
      operands.insert(t.operand);
    }
  }
  part.operands.assign(operands.begin(), operands.end());
  return part;
}

bool FusedGenerator::has(ElementBasis::Variance variance) const {
  return basis_ && std::ranges::any_of(basis_->quantities, [&](const auto& q) { return q.variance == variance; });
}

bool FusedGenerator::can_share_copies(int items) const {
  if (items == 1) return true;
  if (!basis_) {
    const std::vector<int>& fields = lowered_.outside_fields;
    return !fields.empty() && fields.back() + 1 == outside_places() && outside_places() % items == 0;
  }
  const auto& quantities = basis_->quantities;
  return static_cast<int>(quantities.size()) == items &&
         std::ranges::all_of(quantities, [&](const auto& q) { return q.variance == quantities.front().variance; });
}

bool FusedGenerator::places_fit_in_bytes() const {
  return 3 * Np_ <= 256;
}

Block FusedGenerator::places_of_node() const {
  std::string bytes;
  for (int face = 0; face < 4; ++face) {
    const std::string f = number(face);
    bytes += (face > 0 ? " | " : "") + ("(uint32)Fmask[" + f + " * NFP + node] << " + number(8 * face));
  }
  Block block{Declare("const uint32", "places", bytes)};
  const auto declare = [&](const std::string& name, int FaceFrame::*axis) {
    unsigned offsets = 0;
    for (int face = 0; face < 4; ++face) {
      offsets |= static_cast<unsigned>(frame_of_face(face).*axis * Np_) << static_cast<unsigned>(8 * face);
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

Block FusedGenerator::copy_traces(const std::string& stride, int items) const {
  const auto copy = [&](int place, const std::string& node, int field) {
    return Line("COPY_REAL_ASYNC(trace + " + number(place) + " * " + stride + ", q + " + node + " + " + number(field) +
                " * NP);");
  };
  const std::string node = "byte_of(places, side)", slanted = "byte_of(places, SLANTED_FACE)";
  Block block, on_slanted_face;
  if (!basis_) {
    for (int i = 0; i < outside_places() / items; ++i) block += copy(i, node, lowered_.outside_fields[index(i)]);
    return block;
  }
  const auto along = [&](const std::string& places, const std::string& axis) {
    return places_fit_in_bytes() ? "byte_of(" + places + ", side)" : "(" + node + " + " + axis + "(side) * NP)";
  };
  const std::string a = along("places_a", "AXIS_A"), b = along("places_b", "AXIS_B"), c = along("places_c", "AXIS_C");
  for (std::size_t i = 0; i < basis_->quantities.size() / index(items); ++i) {
    const auto [variance, f] = basis_->quantities[i];
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

Block FusedGenerator::declare_inside_traces(std::span<const Expr> fluxes,
                                            const std::function<std::string(int, Component)>& value,
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

Block FusedGenerator::declare_outside_traces(std::span<const Expr> fluxes, const TextOf& place) const {
  const std::set<Symbol> wanted = symbols_of(fluxes, Kind::field);
  Block block;
  const auto declare = [&](int f, const std::string& text) {
    const Symbol trace{.kind = Kind::field, .index = f, .side = Side::outside};
    if (wanted.contains(trace)) block += declare_symbol(trace, text, "real");
  };
  if (!basis_) {
    for (int i = 0; i < outside_places(); ++i) declare(lowered_.outside_fields[index(i)], place(number(i)));
    return block;
  }
  for (const auto& [variance, f] : basis_->quantities) {
    if (variance == ElementBasis::Variance::scalar) {
      declare(f, place(number(f)));
      continue;
    }
    const std::string first = place(number(f)), second = place(number(f + 1)), third = place(number(f + 2));
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

Block FusedGenerator::declare_other_face(const std::string& neighbour, const std::string& face) const {
  if (!basis_) return {};
  return {Declare("const bool", "other_is_slanted",
                  "(" + neighbour + " < 0 ? (int32)" + face + " : " + neighbour + " & 3) == SLANTED_FACE")};
}

Block FusedGenerator::declare_edges(std::span<const Expr> fluxes, std::optional<int> face,
                                    const TextOf& invariant) const {
  constexpr int slanted_face = 2;
  static_assert(frame_of_face(slanted_face).is_slanted);
  const auto product = [&](int a, int b) { return invariant(number(product_of_tangents(a, b))); };
  Block block;
  for (const Symbol& s : symbols_of(fluxes, Kind::edges)) {
    if (s.index == 3) {
      block += declare_symbol(s, number(orientation_of_face(face.value())), "real");
      continue;
    }
    const auto first = s.index == 2 ? &FaceFrame::b : &FaceFrame::a;
    const auto second = s.index == 0 ? &FaceFrame::a : &FaceFrame::b;
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

Block FusedGenerator::load_metric() {
  return {Line("real G[9];  // rx ry rz sx sy sz tx ty tz"),
          For("i", "0", "9", {Assign("G[i]", "metric[(int64)(first + e) * 9 + i]")})};
}

Block FusedGenerator::inside_of_wall(const TextOf& own) const {
  if (!basis_) return {For("f", "0", "NFIELDS", {Assign("q_m[f]", own("f"))})};
  return {Scope(convert(basis_->cartesian, own, [](const std::string& f) { return "q_m[" + f + "]"; }))};
}

Block FusedGenerator::replace_outside(const TextOf& place) const {
  Block block;
  if (!basis_) {
    for (int i = 0; i < outside_places(); ++i) block += Assign(place(number(i)), "(real)" + at("q_p", i));
    return block;
  }
  block += declare_metric(basis_->stored, "G");
  const PrintedCode code = print(basis_->stored, [&](const Symbol& s) {
    if (s.kind != Kind::field) return name_in_kernel(s);
    const auto found = std::ranges::find(lowered_.outside_fields, s.index);
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

std::string FusedGenerator::update_rows() const {
  Block update;
  for (const std::string c : {"x", "y", "z", "w"}) {
    if (vector_size() == 2 && c == "z") break;
    update += Assign("res." + c, "a * res." + c + " + dt * r." + c);
    update += Assign("q_new." + c, "q." + c + " + b * res." + c);
  }
  return rtcg::substitute(kernels::stage_update, {{"update", text_of(update)}});
}

}  // namespace maxwell_dg::dg
