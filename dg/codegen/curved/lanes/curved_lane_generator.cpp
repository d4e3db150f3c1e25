#include "dg/codegen/curved/lanes/curved_lane_generator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/round_up.hpp"
#include "dg/codegen/curved/lanes/jumps_at_face.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/codegen/outside_state.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/lowering/linear_map.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Variance = ElementBasis::Variance;

namespace {

constexpr int most_lanes_of_curved = 16;  // of OpenCL's vectors

Expr inside_field(int f) {
  return Expr(Symbol{.kind = Symbol::Kind::field, .index = f});
}

bool is_field(const Symbol& s) {
  return s.kind == Symbol::Kind::field;
}

MirrorSums face_points_of(const ElementQuadrature& quadrature) {
  std::array<std::vector<std::array<double, 3>>, 4> of_faces;
  for (int face = 0; face < 4; ++face) of_faces.at(index(face)) = quadrature.points_on_face(face);
  return MirrorSums::of_face_points(of_faces);
}

/// Of the nodes of face 0, in the plane of r and s; all faces list their nodes alike.
MirrorSums face_nodes_of(const ReferenceElement& reference) {
  std::vector<double> r, s;
  for (const int node : reference.Fmask.col(0)) {
    r.push_back(reference.r(node));
    s.push_back(reference.s(node));
  }
  return MirrorSums::of_triangle(r, s);
}

}  // namespace

CurvedLaneGenerator::CurvedLaneGenerator(const CurvedProblem& problem, const Choices& choices)
    : CurvedLaneGenerator(problem, choices, Unchecked{}) {
  const Fit fits = fit(problem, choices, nullptr);
  if (!fits) throw std::invalid_argument("a stage of curved elements by lanes: " + fits.why_not);
}

CurvedLaneGenerator::CurvedLaneGenerator(const CurvedProblem& problem, const Choices& choices, Unchecked /*unchecked*/)
    : CurvedGenerator(problem, Axes::mirror),
      choices_(choices),
      basis_(system().basis),
      rows_(problem.reference, face_points_of(problem.quadrature), choices.rows),
      points_(MirrorSums::of_points(problem.quadrature.points_in_volume())),
      nodes_of_face_(face_nodes_of(problem.reference)),
      points_of_face_(MirrorSums::of_triangle(problem.quadrature.face.r, problem.quadrature.face.s)),
      at_face_(points_of_face_, nodes_of_face_, choices.rows),
      at_volume_(points_, rows_.nodes(), choices.rows),
      from_volume_(rows_.nodes(), points_, choices.rows),
      squares_{.fields = fields(),
               .lanes = choices.lanes,
               .at_once = 16 / static_cast<int>(size_of(problem.options.precision))},
      parts_(system().contracted.parts) {
  const std::vector<Expr> of_operands = fields_of_operands();
  for (const Expr& e : system().contracted.equations) {
    equations_.push_back(substitute(
        e, [&](const Symbol& s) { return is_field(s) ? of_operands[static_cast<std::size_t>(s.index)] : Expr(s); }));
  }
  for (const Symbol& s : symbols_of(equations_, Symbol::Kind::field)) own_operands_.push_back(s.index);
  constexpr std::size_t fields_in_registers = 4;
  if (parts_.size() > 1 && lowered().volume.size() > fields_in_registers) return;
  for (std::size_t p = 1; p < parts_.size(); ++p) parts_[0].insert(parts_[0].end(), parts_[p].begin(), parts_[p].end());
  parts_.resize(1);
  std::ranges::sort(parts_[0]);
}

Fit CurvedLaneGenerator::fit(const CurvedProblem& problem, const Choices& choices, const core::DeviceInfo* device) {
  if (!problem.options.schedule.is<Schedule::Lanes>()) return {"the state must be stored as lanes have it"};
  const int of_16_bytes = 16 / static_cast<int>(size_of(problem.options.precision));
  const bool is_vector = choices.lanes == 2 || choices.lanes == 4 || choices.lanes == 8 || choices.lanes == 16;
  if (!is_vector || choices.lanes < of_16_bytes || choices.rows < 1) {
    return {"lanes have 2 (in double precision), 4, 8 or 16 elements, and rows"};
  }
  const CurvedLaneGenerator generator(problem, choices, Unchecked{});
  if (!read_jumps_alone(generator.system())) return {"fluxes depend on more than jumps"};
  if (device == nullptr) return {};
  if (!device->is_cpu || device->backend == core::Backend::cuda) return {"lanes are for CPUs"};
  return group_fits({.items = 1, .shared_bytes = generator.shared_bytes()}, device);
}

int CurvedLaneGenerator::blocks_per_group() const {
  return std::clamp(128 / problem().reference.Np, 1, 8);
}

int CurvedLaneGenerator::flux_slots() const {
  return std::max(4 * face_points(), problem().reference.Np);  // of rates, too, at all nodes
}

int CurvedLaneGenerator::most_fields_of_a_part() const {
  return static_cast<int>(std::ranges::max(parts_, {}, &std::vector<int>::size).size());
}

std::size_t CurvedLaneGenerator::shared_bytes() const {
  const int F = fields(), Np = problem().reference.Np, Nfp = problem().reference.Nfp;
  const int traces = static_cast<int>(system().traces(0).size());
  const int vectors = (2 * F + static_cast<int>(system().contracted.operands.size())) * Np +
                      (traces + F) * (Nfp + face_points()) + flux_slots() * F +
                      rows_.most_multiplied() * most_fields_of_a_part() +
                      volume_points() * (F + std::max(1, static_cast<int>(own_operands_.size())));
  return index(vectors * choices_.lanes) * size_of(options().precision);
}

std::vector<Expr> CurvedLaneGenerator::fields_of_operands() const {
  const Eigen::MatrixXd to_fields = linear_map(Program(system().contracted.operands), {}).inverse();
  std::vector<Expr> result;
  for (int f = 0; f < fields(); ++f) {
    Expr e = 0.0;
    for (int g = 0; g < fields(); ++g) {
      if (std::abs(to_fields(f, g)) > 1e-12) e = e + to_fields(f, g) * inside_field(g);
    }
    result.push_back(e);
  }
  return result;
}

std::vector<Expr> CurvedLaneGenerator::lifted(int face) const {
  const std::vector<Expr> values = values_of_face(system(), face);
  std::vector<Expr> along_axes;  // r, s and t
  for (const std::vector<Lifting::Term>& terms : system().lifting.sums) {
    Expr sum = 0.0;
    for (const Lifting::Term& term : terms) {
      if (term.face != face) continue;
      const Expr& value = values.at(index(term.value));
      sum = term.negative ? sum - value : sum + value;
    }
    along_axes.push_back(sum);
  }
  std::vector<Expr> result = along_axes;
  for (const auto& [variance, f] : system().basis.quantities) {
    if (variance == Variance::scalar) continue;
    const auto matrix = lifted_along_mirror_axes(variance);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      result[index(f) + axis] =
          combination(matrix.at(axis), [&, first = f](int a) { return along_axes[index(first + a)]; });
    }
  }
  for (Expr& e : result) {
    e = substitute(e, [](const Symbol& s) { return is_field(s) && s.side == Side::inside ? Expr(0.0) : Expr(s); });
  }
  return result;
}

rtcg::Record CurvedLaneGenerator::printed_values(const std::vector<Expr>& expressions) const {
  const Program program(expressions);
  return values_by_kind(
      program,
      symbolic::print(program,
                      {.dtype = options().precision, .type = "value", .vectors = true, .name_of = name_in_kernel}));
}

rtcg::Record CurvedLaneGenerator::face_values(int face) const {
  const std::vector<Expr> to_stored = basis_.stored();
  std::vector<Expr> outside;
  std::vector<std::string> less_inside;
  for (const CurvedSystem::Trace& trace : system().traces(face)) {
    Expr sum = 0.0;
    std::string inside;
    for (const auto& [field, negative] : trace.terms) {
      sum = negative ? sum - to_stored[index(field)] : sum + to_stored[index(field)];
      inside += std::string(inside.empty() && !negative ? ""
                            : negative                  ? "-"
                                                        : " + ") +
                "inside[" + std::to_string(field) + "]";
    }
    outside.push_back(sum);
    less_inside.push_back("- (" + inside + ")");
  }
  return {{"number", face},
          {"outside", printed_values(outside)},
          {"less_inside", values_of(less_inside)},
          {"flux", printed_values(lifted(face))}};
}

rtcg::Value::List CurvedLaneGenerator::part_values() const {
  const ContractedSystem& contracted = system().contracted;
  std::vector<LanePart> parts;
  for (const std::vector<int>& part : parts_) {
    std::vector<Expr> volume;
    for (const int f : part) volume.push_back(contracted.volume[index(f)]);
    parts.push_back({.fields = part, .contractions = part, .invariants = {}, .equations = printed_values(volume)});
  }
  return lane_parts(contracted, parts, loops_over_kinds());
}

rtcg::Value::List CurvedLaneGenerator::condition_values() const {
  rtcg::Value::List conditions;
  if (lowered().boundaries_vary) return conditions;
  for (const std::vector<Expr>& outside : lowered().outside) {
    std::vector<Expr> wanted;
    for (const int f : lowered().outside_fields) wanted.push_back(outside[index(f)]);
    conditions.emplace_back(printed_values(wanted));
  }
  return conditions;
}

std::vector<int> CurvedLaneGenerator::losses() const {
  std::vector<int> numbers;
  for (const Expr& e : system().contracted.equations) {
    const Expr of_fields = without_contractions(e);
    const Expr without = substitute(of_fields, [](const LoweredSymbol& s) {
      return s.kind == LoweredSymbol::Kind::invariant ? Expr(0.0) : Expr(s);
    });
    if (!without.is_constant(0.0)) return {};  // fields matter whatever the invariants are
    for (const LoweredSymbol& s : symbols_of(std::array{of_fields}, LoweredSymbol::Kind::invariant)) {
      if (std::ranges::find(numbers, s.number) == numbers.end()) numbers.push_back(s.number);
    }
  }
  return numbers;
}

rtcg::Value::List CurvedLaneGenerator::tables() const {
  const ReferenceElement& reference = problem().reference;
  const int row = round_up(reference.Nfp, 8);
  const std::vector<int> of_faces = reference.face_nodes();
  std::vector<int> record_offset;  // of the nodes of each face in an element
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    for (int j = 0; j < reference.Nfp; ++j)
      record_offset.push_back(fields() * of_faces[index(face * reference.Nfp + j)]);
    record_offset.resize(index((face + 1) * row));
  }
  const auto table = [](const char* type, const char* name, const std::vector<int>& values) {
    return rtcg::Record{{"type", type}, {"name", name}, {"values", values_of(values)}};
  };
  rtcg::Value::List tables{table("int32", "node_slot", rows_.nodes().slot),
                           table("int32", "row_slot", rows_.row_slots()),
                           table("int32", "point_slot", points_.slot),
                           table("int32", "face_point_slot", rows_.lifted().slot),
                           table("int32", "node_of_face_slot", nodes_of_face_.slot),
                           table("int32", "point_of_face_slot", points_of_face_.slot),
                           table("ushort", "record_offset", record_offset)};
  if (loops_over_kinds()) {
    tables.emplace_back(table("int32", "kinds_of_rows", rows_.loop_table()));
    tables.emplace_back(table("int32", "kinds_at_face", at_face_.loop_table()));
    tables.emplace_back(table("int32", "kinds_at_volume", at_volume_.loop_table()));
    tables.emplace_back(table("int32", "kinds_from_volume", from_volume_.loop_table()));
  }
  return tables;
}

rtcg::KernelSource CurvedLaneGenerator::stage() const {
  static const rtcg::Template text = kernel_template("dg/codegen/curved/lanes/stage_curved_lanes.kernel");
  const ContractedSystem& contracted = system().contracted;
  const auto products = [&](const LaneProducts& of, const char* table) {
    return loops_over_kinds() ? of.loop_values(table) : of.values();
  };
  rtcg::Value::List faces;
  std::vector<int> traces;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) faces.emplace_back(face_values(face));
  for (const CurvedSystem::Trace& trace : system().traces(0)) traces.push_back(trace.number);
  return source(text, {{"outside", outside_state_values(lowered(), options().precision)},
                       {"conditions", condition_values()},
                       {"squares", squares_.values()},
                       {"lanes", choices_.lanes},
                       {"lane_names", values_of(RecordSquares::lane_names(choices_.lanes))},
                       {"real_bytes", size_of(options().precision)},
                       {"blocks_per_group", blocks_per_group()},
                       {"most_multiplied", rows_.most_multiplied()},
                       {"most_fields_of_a_part", most_fields_of_a_part()},
                       {"face_row", round_up(problem().reference.Nfp, 8)},
                       {"volume_points", volume_points()},
                       {"face_points", face_points()},
                       {"flux_slots", flux_slots()},
                       {"at_node", basis_.count()},
                       {"point_invariants", std::max<std::size_t>(1, contracted.element_invariants.size())},
                       {"face_invariants", std::max<std::size_t>(1, contracted.face_invariants.size())},
                       {"mirrored", rtcg::Record{{"nodes", mirrored_values(rows_.nodes())},
                                                 {"points", mirrored_values(points_)},
                                                 {"face_points", mirrored_values(rows_.lifted())},
                                                 {"nodes_of_face", mirrored_values(nodes_of_face_)},
                                                 {"points_of_face", mirrored_values(points_of_face_)}}},
                       {"tables", tables()},
                       {"products", rtcg::Record{{"at_face", products(at_face_, "kinds_at_face")},
                                                 {"at_volume", products(at_volume_, "kinds_at_volume")},
                                                 {"from_volume", products(from_volume_, "kinds_from_volume")}}},
                       {"stored", printed_values(basis_.stored())},
                       {"cartesian", printed_values(basis_.cartesian())},
                       {"operands", printed_values(contracted.operands)},
                       {"traces", values_of(traces)},
                       {"faces", std::move(faces)},
                       {"outside_fields", values_of(lowered().outside_fields)},
                       {"parts", part_values()},
                       {"kinds", loops_over_kinds() ? rows_.loop_values("kinds_of_rows") : rows_.values()},
                       {"own_operands", values_of(own_operands_)},
                       {"losses", values_of(losses())},
                       {"equations", printed_values(equations_)}});
}

std::vector<std::vector<double>> CurvedLaneGenerator::matrices() const {
  const ElementQuadrature& quadrature = problem().quadrature;
  const MirrorSums& nodes = rows_.nodes();
  // The sums at nodes are shares, from which numbers at nodes follow by adding.
  const Eigen::MatrixXd of_shares = points_.shares() * quadrature.at_volume * nodes.sums().transpose();
  return {rows_.derivative_factors(problem().reference),
          rows_.lift_factors(quadrature.lift),
          at_face_.factors(between_mirror_sums(quadrature.at_face, points_of_face_, nodes_of_face_)),
          at_volume_.factors(of_shares),
          at_volume_.factors(between_mirror_sums(quadrature.at_volume, points_, nodes)),
          from_volume_.factors(between_mirror_sums(quadrature.from_volume, nodes, points_))};
}

namespace {

/// As many lanes as a vector register holds; fewer if the local memory of a group is too small for them.
std::vector<CurvedVariant> curved_lane_variants(const CurvedProblem& problem, const core::DeviceInfo& device) {
  if (!device.is_cpu || !problem.options.schedule.is<Schedule::Lanes>()) return {};
  constexpr int usual_rows = 4;
  const int of_number = static_cast<int>(size_of(problem.options.precision));
  int lanes = std::min(std::max(device.vector_bytes, 16) / of_number, most_lanes_of_curved);
  while (lanes > 16 / of_number && !CurvedLaneGenerator::fit(problem, {lanes, usual_rows}, &device)) lanes /= 2;
  if (!CurvedLaneGenerator::fit(problem, {lanes, usual_rows}, &device)) return {};
  std::vector<CurvedVariant> variants;
  for (const int rows : {usual_rows, 1, 2, 3, 5, 6}) {
    variants.push_back({{"kind", "lanes"}, {"lanes", lanes}, {"rows", rows}});
  }
  return variants;
}

}  // namespace

CurvedKind curved_lanes() {
  return {.name = "lanes",
          .variants = curved_lane_variants,
          .make = [](const CurvedProblem& problem, const CurvedVariant& variant) -> std::unique_ptr<CurvedGenerator> {
            const CurvedLaneGenerator::Choices choices{.lanes = static_cast<int>(variant.at("lanes").integer()),
                                                       .rows = static_cast<int>(variant.at("rows").integer())};
            return std::make_unique<CurvedLaneGenerator>(problem, choices);
          }};
}

}  // namespace maxwell_dg::dg
