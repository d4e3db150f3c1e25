#include "dg/codegen/lanes/lane_generator.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/codegen/outside_state.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

namespace {

/// Up to this order a block's arithmetic takes less time than its memory accesses: its register (res) and its new state
/// are prefetched.
constexpr int last_order_of_short_steps = 3;

/// If state, new state and register are at most this large together, a last-level cache is likely to keep them until
/// the next stage. Otherwise the new state is written with non-temporal stores, for which cache lines need not be read
/// first.
constexpr std::size_t cached_bytes = 16UL << 20, line_bytes = 64;

}  // namespace

LaneGenerator::LaneGenerator(const LoweredSystem& lowered, Options options, Unchecked /*unchecked*/)
    : FusedGenerator(lowered, std::move(options)),
      prologue_(lowered, options_),
      reference_(ReferenceElement::make(options_.N)),
      rows_(reference_, MirrorSums::of_face_nodes(reference_), std::max(1, slicing().nodes_at_once)),
      squares_{.fields = fields_, .lanes = slicing().lanes, .at_once = vector_size()} {
  of_node_ = of_node();
}

bool LaneGenerator::keeps_new_state_in_caches() const {
  return 3 * options_.elements * index(fields_ * Np_) * real_bytes() <= cached_bytes;
}

int LaneGenerator::blocks_per_group() const {
  return std::clamp(512 / Np_, 1, 8);
}

Fit LaneGenerator::fit(const Schedule::Lanes& schedule, const core::DeviceInfo* device) const {
  const int lanes = schedule.lanes;
  if ((lanes != 2 && lanes != 4 && lanes != 8 && lanes != 16) || lanes < squares_.at_once ||
      schedule.nodes_at_once < 1) {
    return {"lanes have 2 (in double precision), 4, 8 or 16 elements, and nodes"};
  }
  if (device != nullptr && device->backend == core::Backend::cuda) return {"lanes are of OpenCL's vectors"};
  return group_fits({.items = group_items(), .shared_bytes = shared_bytes(lanes)}, device);
}

std::size_t LaneGenerator::shared_bytes(int lanes) const {
  const auto vectors = (static_cast<int>(contracted_.operands.size()) + 2 * fields_) * Np_ + flux_slots() * fields_ +
                       most_fields_of_a_part() * rows_.most_multiplied();
  return static_cast<std::size_t>(vectors * lanes) * real_bytes();
}

PrintedCode LaneGenerator::print_values(std::span<const Expr> outputs) const {
  return symbolic::print(
      Program(outputs),
      {.dtype = options_.precision, .type = "value", .vectors = true, .prefix = "v", .name_of = name_in_kernel});
}

rtcg::Record LaneGenerator::printed_values(std::span<const Expr> outputs) const {
  return values_by_kind(Program(outputs), print_values(outputs));
}

rtcg::Value::List LaneGenerator::part_values() const {
  std::vector<LanePart> parts;
  for (std::size_t p = 0; p < contracted_.parts.size(); ++p) {
    const Part of_equations = part(p);
    const std::vector<Expr> volume = of_contractions(of_equations);
    LanePart& lane_part = parts.emplace_back(LanePart{.fields = of_equations.fields,
                                                      .contractions = of_equations.contractions,
                                                      .invariants = {},
                                                      .equations = printed_values(volume)});
    for (const LoweredSymbol& s : symbols_of(volume, LoweredSymbol::Kind::invariant)) {
      lane_part.invariants.push_back(s.number);
    }
  }
  return lane_parts(contracted_, parts, options_.N >= first_order_of_looped_parts);
}

rtcg::Value::List LaneGenerator::tables() const {
  std::vector<int> record_offset;  // of the nodes of each face in an element; and of a face's nodes by themselves
  const std::vector<int> of_faces = reference_.face_nodes();
  for (int face = 0; face <= ReferenceElement::Nfaces; ++face) {
    for (int j = 0; j < Nfp_; ++j) {
      record_offset.push_back(fields_ * (face < ReferenceElement::Nfaces ? of_faces[index(face * Nfp_ + j)] : j));
    }
    record_offset.resize(index((face + 1) * face_row()));
  }
  const auto table = [](const char* type, const char* name, const std::vector<int>& values) {
    return rtcg::Record{{"type", type}, {"name", name}, {"values", values_of(values)}};
  };
  return {table("int32", "node_slot", rows_.nodes().slot), table("int32", "face_slot", rows_.lifted().slot),
          table("int32", "row_slot", rows_.row_slots()), table("ushort", "record_offset", record_offset)};
}

rtcg::KernelSource LaneGenerator::stage() const {
  static const rtcg::Template text = kernel_template("dg/codegen/lanes/stage_lanes.kernel");
  rtcg::Value::List vanishes;
  for (const Expr& e : of_node_) vanishes.emplace_back(e.is_constant(0));
  return kernel_source(prologue_.name_of("stage"), text,
                       {{"state", prologue_.state()},
                        {"outside", outside_state_values(lowered_, options_.precision)},
                        {"prepare", prepare_values(first_of_faces(), values_of_a_face())},
                        {"terms", term_values([&](std::span<const Expr> e) { return print_values(e); })},
                        {"squares", squares_.values()},
                        {"has_ranges", options_.has_ranges},
                        {"lanes", slicing().lanes},
                        {"lane_names", values_of(RecordSquares::lane_names(slicing().lanes))},
                        {"real_bytes", real_bytes()},
                        {"line_bytes", line_bytes},
                        {"cached_bytes", cached_bytes},
                        {"blocks_per_group", blocks_per_group()},
                        {"most_multiplied", rows_.most_multiplied()},
                        {"most_fields_of_a_part", most_fields_of_a_part()},
                        {"face_row", face_row()},
                        {"flux_slots", flux_slots()},
                        {"mirrored_nodes", mirrored_values(rows_.nodes())},
                        {"mirrored_face_nodes", mirrored_values(rows_.lifted())},
                        {"tables", tables()},
                        {"keeps_new_state_in_caches", keeps_new_state_in_caches()},
                        {"prefetches_results", options_.N <= last_order_of_short_steps},
                        {"outside_fields", values_of(lowered_.outside_fields)},
                        {"operands", printed_values(contracted_.operands)},
                        {"flux", printed_values(contracted_.flux)},
                        {"parts", part_values()},
                        {"kinds", rows_.values()},
                        {"of_node", printed_values(of_node_)},
                        {"vanishes_at_node", std::move(vanishes)}});
}

std::vector<double> LaneGenerator::derivative_factors(const ReferenceElement& reference) const {
  return rows_.derivative_factors(reference);
}

std::vector<double> LaneGenerator::lift_factors(const ReferenceElement& reference) const {
  return rows_.lift_factors(reference.LIFT);
}

}  // namespace maxwell_dg::dg
