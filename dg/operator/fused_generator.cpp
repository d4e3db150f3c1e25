#include "dg/operator/fused_generator.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "core/round_up.hpp"
#include "dg/kernels/kernel_texts.hpp"
#include "dg/operator/affine_map.hpp"
#include "dg/operator/element_generator.hpp"
#include "dg/operator/kernel_code.hpp"
#include "dg/operator/lane_generator.hpp"
#include "dg/operator/tile_generator.hpp"
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
  return std::make_unique<TileGenerator>(lowered, std::move(options));
}

FusedGenerator::FusedGenerator(const LoweredSystem& lowered, Options options, bool metric_is_at_hand)
    : lowered_(lowered),
      contracted_(contract(lowered, metric_is_at_hand)),
      options_(std::move(options)),
      Np_(node_count(options_.N)),
      Nfp_(face_node_count(options_.N)),
      fields_(static_cast<int>(lowered.volume.size())),
      element_size_(options_.schedule.block_values(fields_ * Np_)),
      row_(row_apart(element_size_)) {
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
      {"ROW", row_},
      {"PART_FIELDS", static_cast<int>(std::ranges::max(contracted_.parts, {}, &std::vector<int>::size).size())},
      {"AHEAD", 512},
      {"GROUP_ITEMS", group_items()},
      {"RESIDENT_GROUPS", options_.schedule.resident_groups},
      {"ON_CHIP_VALUES", static_cast<int>(on_chip_bytes() / real_bytes())}};
  sizes.insert(sizes.end(), more.begin(), more.end());
  for (const auto& [name, value] : sizes) text += Line("#define " + name + " " + std::to_string(value));
  text += Line(std::string("#define BOUNDARY_NODE(b, axis, i) ") +
               (lowered_.boundaries_move ? "boundary_nodes[((int64)(b) * 3 + (axis)) * NFP + (i)]" : "0"));
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

std::string FusedGenerator::prepare(int values_of_an_element, int values_of_a_face) const {
  const bool has_metric = contracted_.metric_is_at_hand;
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

  Block of_element = declare_metric(contracted_.element_invariants, "G"), of_face;
  for (int i = 0; has_metric && i < 9; ++i) keep(of_element, "of_element", i, at("G", i));
  compute(of_element, contracted_.element_invariants, "of_element", has_metric ? 9 : 0);
  const std::set<Symbol> normals = symbols_of(contracted_.face_invariants, Kind::normal);
  for (int axis = 0; axis < 3; ++axis) {
    const Symbol n{.kind = Kind::normal, .index = axis};
    if (!has_metric || normals.contains(n)) of_face += declare_symbol(n, at("n", axis) + " / Fscale", "real");
    if (!has_metric) keep(of_face, "of_face", axis, name_in_kernel(n));
  }
  compute(of_face, contracted_.face_invariants, "of_face", has_metric ? 0 : 3);
  return rtcg::syntax::print(text) + rtcg::substitute(kernels::prepare, {{"element_invariants", text_of(of_element)},
                                                                         {"scaled_normal", scaled_normal("axis")},
                                                                         {"face_invariants", text_of(of_face)}});
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
