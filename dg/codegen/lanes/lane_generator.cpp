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

/// Appends the entries of a matrix, [column][row].
void append_columns(std::vector<double>& factors, const Eigen::MatrixXd& of_some_rows) {
  factors.insert(factors.end(), of_some_rows.data(), of_some_rows.data() + of_some_rows.size());
}

}  // namespace

LaneGenerator::LaneGenerator(const LoweredSystem& lowered, Options options, Unchecked /*unchecked*/)
    : FusedGenerator(lowered, std::move(options)),
      prologue_(lowered, options_),
      reference_(ReferenceElement::make(options_.N)),
      nodes_(MirrorSums::of_nodes(reference_)),
      face_nodes_(MirrorSums::of_face_nodes(reference_)),
      derivatives_(DerivativeNodes::of_mirror_sums(reference_)),
      rows_(sorted_rows()),
      squares_{.fields = fields_, .lanes = slicing().lanes, .at_once = vector_size()} {
  of_node_ = of_node();
}

std::vector<LaneGenerator::Rows> LaneGenerator::sorted_rows() const {
  std::vector<Rows> all;
  Rows rows{};  // so far
  for (int kind = 0; kind < MirrorSums::kinds; ++kind) {
    const DerivativeNodes& derivatives = derivatives_[index(kind)];
    rows.kind = kind;
    rows.multiplied = static_cast<int>(derivatives.multiplied.size());
    rows.interpolated = static_cast<int>(derivatives.interpolated.size());
    rows.columns_of_d = 0;
    for (int axis = 0; axis < 3; ++axis) rows.columns_of_d += nodes_.count.at(index(kind ^ axis));
    rows.columns_of_lift = face_nodes_.count.at(index(kind));
    all.push_back(rows);
    rows.first += rows.count();
    rows.first_d += rows.multiplied * (rows.columns_of_d + rows.interpolated);
    rows.first_lift += rows.count() * rows.columns_of_lift;
  }
  return all;
}

std::vector<LaneGenerator::Step> LaneGenerator::steps(const Rows& rows) const {
  std::vector<Step> all;
  const int count = ceil_divide(rows.count(), slicing().nodes_at_once);
  int first = 0;
  for (int i = 0; i < count; ++i) {
    const int at_once = rows.count() / count + (i < rows.count() % count ? 1 : 0);
    const int multiplied = std::clamp(rows.multiplied - first, 0, at_once);
    const bool is_mixed = multiplied > 0 && multiplied < at_once;
    if (!all.empty() && !is_mixed && all.back().at_once == at_once && all.back().multiplied == multiplied) {
      all.back().end += at_once;
    } else {
      all.push_back({first, first + at_once, at_once, multiplied});
    }
    first += at_once;
  }
  return all;
}

std::vector<int> LaneGenerator::slots(const Rows& rows, int first, int end) const {
  const DerivativeNodes& derivatives = derivatives_[index(rows.kind)];
  std::vector<int> all = derivatives.multiplied;
  all.insert(all.end(), derivatives.interpolated.begin(), derivatives.interpolated.end());
  return {all.begin() + first, all.begin() + end};
}

bool LaneGenerator::keeps_new_state_in_caches() const {
  return 3 * options_.elements * index(fields_ * Np_) * real_bytes() <= cached_bytes;
}

int LaneGenerator::blocks_per_group() const {
  return std::clamp(512 / Np_, 1, 8);
}

int LaneGenerator::most_multiplied() const {
  return std::ranges::max(rows_, {}, &Rows::multiplied).multiplied;
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
                       most_fields_of_a_part() * most_multiplied();
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

rtcg::Record LaneGenerator::part_values(const Part& part) const {
  rtcg::Value::List axes;
  for (int axis = 0; axis < 3; ++axis) {
    std::set<int> operands;
    rtcg::Value::List terms;
    for (std::size_t w = 0; w < part.contractions.size(); ++w) {
      for (const Contraction::Term& term : contracted_.contractions[index(part.contractions[w])].terms) {
        if (term.axis != axis) continue;
        operands.insert(term.operand);
        terms.emplace_back(rtcg::Record{{"w", w}, {"operand", term.operand}, {"sign", term.negative ? "-" : "+"}});
      }
    }
    axes.emplace_back(
        rtcg::Record{{"operands", rtcg::Value::List(operands.begin(), operands.end())}, {"terms", std::move(terms)}});
  }
  return {{"fields", values_of(part.fields)},
          {"contractions", values_of(part.contractions)},
          {"axes", std::move(axes)},
          {"equations", printed_values(of_contractions(part))}};
}

rtcg::Record LaneGenerator::row_values(const Rows& rows) const {
  rtcg::Value::List all_steps, columns, first_slot;
  for (const Step& step : steps(rows)) {
    all_steps.emplace_back(rtcg::Record{
        {"first", step.first}, {"end", step.end}, {"at_once", step.at_once}, {"multiplied", step.multiplied}});
  }
  for (int axis = 0; axis < 3; ++axis) {
    columns.emplace_back(nodes_.count.at(index(rows.kind ^ axis)));
    first_slot.emplace_back(nodes_.first_slot.at(index(rows.kind ^ axis)));
  }
  return {{"kind", rows.kind},
          {"multiplied", rows.multiplied},
          {"interpolated", rows.interpolated},
          {"first", rows.first},
          {"first_d", rows.first_d},
          {"first_lift", rows.first_lift},
          {"columns_of_d", rows.columns_of_d},
          {"columns_of_lift", rows.columns_of_lift},
          {"columns", std::move(columns)},
          {"first_slot", std::move(first_slot)},
          {"first_flux_slot", face_nodes_.first_slot.at(index(rows.kind))},
          {"steps", std::move(all_steps)}};
}

rtcg::Value::List LaneGenerator::tables() const {
  std::vector<int> row_slot;
  for (const Rows& rows : rows_) {
    for (const int slot : slots(rows, 0, rows.count())) row_slot.push_back(slot);
  }
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
  return {table("int32", "node_slot", nodes_.slot), table("int32", "face_slot", face_nodes_.slot),
          table("int32", "row_slot", row_slot), table("ushort", "record_offset", record_offset)};
}

rtcg::KernelSource LaneGenerator::stage() const {
  static const rtcg::Template text = kernel_template("dg/codegen/lanes/stage_lanes.kernel");
  const auto mirrored = [](const MirrorSums& s) {
    std::vector<int> list{s.fours, s.seconds, s.firsts};
    list.insert(list.end(), s.first_slot.begin() + 1, s.first_slot.end());
    return values_of(list);
  };
  rtcg::Value::List parts, kinds, vanishes;
  for (std::size_t p = 0; p < contracted_.parts.size(); ++p) parts.emplace_back(part_values(part(p)));
  for (const Rows& rows : rows_) kinds.emplace_back(row_values(rows));
  for (const Expr& e : of_node_) vanishes.emplace_back(e.is_constant(0));
  return kernel_source(prologue_.name_of("stage"), text,
                       {{"state", prologue_.state()},
                        {"outside", outside_state_values(lowered_, options_.precision)},
                        {"prepare", prepare_values(first_of_faces(), values_of_a_face())},
                        {"squares", squares_.values()},
                        {"has_ranges", options_.has_ranges},
                        {"lanes", slicing().lanes},
                        {"lane_names", values_of(RecordSquares::lane_names(slicing().lanes))},
                        {"real_bytes", real_bytes()},
                        {"line_bytes", line_bytes},
                        {"blocks_per_group", blocks_per_group()},
                        {"most_multiplied", most_multiplied()},
                        {"most_fields_of_a_part", most_fields_of_a_part()},
                        {"face_row", face_row()},
                        {"flux_slots", flux_slots()},
                        {"mirrored_nodes", mirrored(nodes_)},
                        {"mirrored_face_nodes", mirrored(face_nodes_)},
                        {"tables", tables()},
                        {"keeps_new_state_in_caches", keeps_new_state_in_caches()},
                        {"prefetches_results", options_.N <= last_order_of_short_steps},
                        {"outside_fields", values_of(lowered_.outside_fields)},
                        {"operands", printed_values(contracted_.operands)},
                        {"flux", printed_values(contracted_.flux)},
                        {"parts", std::move(parts)},
                        {"kinds", std::move(kinds)},
                        {"of_node", printed_values(of_node_)},
                        {"vanishes_at_node", std::move(vanishes)}});
}

std::vector<double> LaneGenerator::derivative_factors(const ReferenceElement& reference) const {
  const std::array<Eigen::MatrixXd, 3> D = MirrorSums::derivatives(reference, nodes_);
  std::vector<double> factors;
  for (const Rows& rows : rows_) {
    std::vector<double> interpolation;  // follows the other factors of this kind
    for (const Step& step : steps(rows)) {
      for (int first = step.first; first < step.end; first += step.at_once) {
        const int end_of_multiplied = first + step.multiplied;
        for (int axis = 0; axis < 3; ++axis) {
          const std::size_t kind = index(rows.kind ^ axis);
          append_columns(factors, D.at(index(axis))(slots(rows, first, end_of_multiplied),
                                                    Eigen::seqN(nodes_.first_slot.at(kind), nodes_.count.at(kind))));
        }
        append_columns(interpolation,
                       derivatives_[index(rows.kind)].interpolation.middleRows(
                           std::max(0, end_of_multiplied - rows.multiplied), step.at_once - step.multiplied));
      }
    }
    factors.insert(factors.end(), interpolation.begin(), interpolation.end());
  }
  return factors;
}

std::vector<double> LaneGenerator::lift_factors(const ReferenceElement& reference) const {
  const Eigen::MatrixXd LIFT = between_mirror_sums(reference.LIFT, nodes_, face_nodes_);
  std::vector<double> factors;
  for (const Rows& rows : rows_) {
    for (const Step& step : steps(rows)) {
      for (int first = step.first; first < step.end; first += step.at_once) {
        append_columns(factors, LIFT(slots(rows, first, first + step.at_once),
                                     Eigen::seqN(face_nodes_.first_slot.at(index(rows.kind)), rows.columns_of_lift)));
      }
    }
  }
  return factors;
}

}  // namespace maxwell_dg::dg
