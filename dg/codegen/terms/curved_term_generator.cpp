#include "dg/codegen/terms/curved_term_generator.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/codegen/terms/term_generator.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

namespace {

constexpr std::size_t usual_shared_bytes = std::size_t{48} * 1024;  // that any GPU has

}  // namespace

CurvedTermGenerator::CurvedTermGenerator(const KernelGenerator& stage, const CurvedSystem& system,
                                         const ElementQuadrature& quadrature, bool media_vary,
                                         const core::DeviceInfo* device)
    : stage_(stage),
      system_(system),
      volume_points_(quadrature.volume_points()),
      face_points_(quadrature.face_points()),
      media_vary_(media_vary),
      most_shared_bytes_(device == nullptr ? usual_shared_bytes : device->shared_memory_bytes) {
  const KernelGenerator::Options& options = stage.options();
  if (!options.schedule.is<Schedule::Lanes>() || media_vary || system.tensors) return;
  in_lanes_ = TermLanes::fitting(options.schedule, ReferenceElement::make(options.N), quadrature, stage.fields(),
                                 options.precision, device);
}

int CurvedTermGenerator::lanes(const LoweredTerm& lowered) const {
  const bool is_wide = lowered.depends_on_time || lowered.depends_on_position;
  return in_lanes_ && !is_wide ? in_lanes_->lanes() : 1;
}

std::size_t CurvedTermGenerator::bytes(std::size_t values) const {
  return std::max<std::size_t>(1, values) * size_of(stage_.options().precision);
}

CurvedTermGenerator::Use CurvedTermGenerator::use_of(const std::vector<Expr>& outputs,
                                                     const LoweredTerm& lowered) const {
  std::vector<int> inside, outside;
  for (const Symbol& q : symbols_of(outputs, Symbol::Kind::field)) {
    if (q.index < stage_.fields()) (q.side == Side::inside ? inside : outside).push_back(q.index);
  }
  return {.inside = system_.whole_quantities(inside),
          .outside = system_.whole_quantities(outside),
          .added = system_.whole_quantities(lowered.fields)};
}

rtcg::Record CurvedTermGenerator::values(const LoweredTerm& lowered, const std::vector<Expr>& outputs,
                                         std::size_t profiles, std::size_t auxiliary, const Use& use, int places,
                                         std::size_t shared_values, bool on_faces, int lanes) const {
  const Dtype precision = stage_.options().precision;
  const auto printed = [&](const std::vector<Expr>& expressions) {
    const Program program(expressions);
    return values_by_kind(program, print_reals(program, precision));
  };
  rtcg::Value::List axes;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) axes.emplace_back(axis_of_face(face).value_or(-1));
  rtcg::Record term = TermGenerator::density(lowered, outputs, precision);
  term["items"] = group_items;
  term["profiles"] = profiles;
  term["auxiliary"] = auxiliary;
  return {{"term", std::move(term)},
          {"curved", rtcg::Record{{"volume_points", volume_points_},
                                  {"face_points", face_points_},
                                  {"places", places},
                                  {"lanes", lanes},
                                  {"media_vary", media_vary_},
                                  {"has_tensors", system_.tensors.has_value()},
                                  {"inverse_weights", system_.tensors ? system_.tensors->count() : 0},
                                  {"constants_vary", media_vary_ && !on_faces},
                                  {"inside", values_of(use.inside)},
                                  {"outside", values_of(use.outside)},
                                  {"added", values_of(use.added)},
                                  {"shared_values", shared_values},
                                  {"axes", std::move(axes)},
                                  {"stored", printed(system_.basis.stored)},
                                  {"cartesian", printed(system_.basis.cartesian)},
                                  {"to_sums", printed(system_.to_sums)},
                                  {"from_sums", printed(system_.from_sums)}}}};
}

CurvedTermGenerator::Kernel CurvedTermGenerator::element_term(const ElementTerm& term,
                                                              const LoweredTerm& lowered) const {
  if (lanes(lowered) > 1) return element_term_in_lanes(term, lowered);
  static const rtcg::Template text = kernel_template("dg/codegen/terms/curved_element_term.kernel");
  const std::vector<Expr> outputs = lowered.outputs();
  const Use use = use_of(outputs, lowered);
  const GroupShape shape =
      group_shape(static_cast<int>(std::max({use.inside.size(), use.added.size(), std::size_t{1}})));
  rtcg::Record all = values(lowered, outputs, term.profiles.size(), lowered.rates.size(), use, volume_points_,
                            shape.shared_values, false);
  rtcg::Record of_term = all.at("term").record(), curved = all.at("curved").record();
  of_term["items"] = shape.items;
  curved["width"] = shape.width;
  curved["elements"] = shape.elements;
  curved["vector"] = shape.vector;
  curved["rows"] = shape.rows;
  all["term"] = std::move(of_term);
  all["curved"] = std::move(curved);
  return {.source = stage_.source("curved_element_term_" + term.name, text, std::move(all)),
          .shared_bytes = bytes(shape.shared_values),
          .items = shape.items,
          .elements = shape.elements};
}

/// A work-item multiplies two rows of a matrix with the numbers of an element, groups are of about 96 work-items, and a
/// product takes the place of what it multiplies. On an H200 other shapes were slower: one row or four, two elements a
/// work-item, twice the work-items, a part of shared memory for each of the two (docs/performance.md).
CurvedTermGenerator::GroupShape CurvedTermGenerator::group_shape(int fields) const {
  constexpr int usual_items = 96, warp = 32, most_elements = 8, rows = 2;
  const int places = std::max(node_count(stage_.options().N), volume_points_), tasks = (places + rows - 1) / rows;
  const auto shared_values = [&](int elements) { return index(elements * places * fields); };
  GroupShape shape{.width = fields, .rows = rows, .elements = 1, .vector = 1, .items = 0, .shared_values = 0};
  shape.elements = std::clamp(usual_items / tasks, 1, most_elements);
  while (shape.elements > 1 && bytes(shared_values(shape.elements)) > most_shared_bytes_) --shape.elements;
  const int of_16_bytes = 16 / static_cast<int>(size_of(stage_.options().precision));
  shape.vector = fields % of_16_bytes == 0 ? of_16_bytes : fields % 2 == 0 ? 2 : 1;
  shape.items = round_up(shape.elements * tasks, warp);
  shape.shared_values = shared_values(shape.elements);
  return shape;
}

CurvedTermGenerator::Kernel CurvedTermGenerator::element_term_in_lanes(const ElementTerm& term,
                                                                       const LoweredTerm& lowered) const {
  static const rtcg::Template text = kernel_template("dg/codegen/terms/curved_element_term_lanes.kernel");
  const auto printed = [&](const std::vector<Expr>& expressions) {
    const Program program(expressions);
    return values_by_kind(program, symbolic::print(program, {.dtype = stage_.options().precision,
                                                             .type = "value",
                                                             .vectors = true,
                                                             .prefix = "v",
                                                             .name_of = name_in_kernel}));
  };
  const auto of_fields = [&](const std::vector<Expr>& map, const std::vector<int>& fields) {
    std::vector<Expr> chosen;
    for (const int f : fields) chosen.push_back(map[index(f)]);
    return printed(chosen);
  };
  const std::vector<Expr> outputs = lowered.outputs();
  const Use use = use_of(outputs, lowered);
  rtcg::Record all = in_lanes_->values();
  all["volume_points"] = volume_points_;
  all["inside"] = values_of(use.inside);
  all["added"] = values_of(use.added);
  all["stored"] = of_fields(system_.basis.stored, use.inside);
  all["cartesian_inside"] = of_fields(system_.basis.cartesian, use.inside);
  all["cartesian_added"] = of_fields(system_.basis.cartesian, use.added);
  all["to_sums"] = of_fields(system_.to_sums, use.added);
  all["from_sums"] = of_fields(system_.from_sums, use.added);
  all["term"] = rtcg::Record{{"fields", values_of(lowered.fields)},
                             {"constants", lowered.constants.size()},
                             {"profiles", term.profiles.size()},
                             {"auxiliary", lowered.rates.size()},
                             {"density", printed(outputs)}};
  return {.source = stage_.source("curved_element_term_" + term.name, text, std::move(all)),
          .shared_bytes = 0,
          .items = 1,
          .elements = in_lanes_->lanes()};
}

CurvedTermGenerator::Kernel CurvedTermGenerator::face_term(const FaceTerm& term, const LoweredTerm& lowered) const {
  static const rtcg::Template text = kernel_template("dg/codegen/terms/curved_face_term.kernel");
  const std::vector<Expr> outputs = lowered.outputs();
  const Use use = use_of(outputs, lowered);
  const int N = stage_.options().N;
  const std::size_t traces = (use.inside.size() + use.outside.size()) * 4 * index(face_node_count(N));
  const std::size_t shared = use.added.size() * (4 * index(face_points_) + index(node_count(N))) +
                             std::max(traces, use.added.size() * index(volume_points_));
  return {.source = stage_.source(
              "curved_face_term_" + term.name, text,
              values(lowered, outputs, term.profiles.size(), term.auxiliary.size(), use, face_points_, shared, true)),
          .shared_bytes = bytes(shared)};
}

namespace {

/// What the power of a term reads in addition: the fields that its density multiplies.
std::vector<Expr> with_factors(const LoweredTerm& lowered) {
  std::vector<Expr> all = lowered.added;
  for (const int f : lowered.fields) all.emplace_back(Symbol{.kind = Symbol::Kind::field, .index = f});
  return all;
}

}  // namespace

CurvedTermGenerator::Kernel CurvedTermGenerator::power(const ElementTerm& term, const LoweredTerm& lowered,
                                                       int lanes) const {
  static const rtcg::Template text = kernel_template("dg/codegen/terms/curved_power.kernel");
  const Use use = use_of(with_factors(lowered), lowered);
  const std::size_t shared = use.inside.size() * index(node_count(stage_.options().N));
  rtcg::Record all = values(lowered, lowered.added, term.profiles.size(), term.auxiliary.size(), use, volume_points_,
                            shared, false, lanes);
  all["on_faces"] = false;
  return {.source = stage_.source("curved_power_" + term.name, text, std::move(all)), .shared_bytes = bytes(shared)};
}

CurvedTermGenerator::Kernel CurvedTermGenerator::power(const FaceTerm& term, const LoweredTerm& lowered) const {
  static const rtcg::Template text = kernel_template("dg/codegen/terms/curved_power.kernel");
  const Use use = use_of(with_factors(lowered), lowered);
  const std::size_t shared = (use.inside.size() + use.outside.size()) * index(face_node_count(stage_.options().N));
  rtcg::Record all =
      values(lowered, lowered.added, term.profiles.size(), term.auxiliary.size(), use, face_points_, shared, true);
  all["on_faces"] = true;
  return {.source = stage_.source("curved_power_" + term.name, text, std::move(all)), .shared_bytes = bytes(shared)};
}

}  // namespace maxwell_dg::dg
