#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/round_up.hpp"
#include "dg/codegen/fit.hpp"
#include "dg/codegen/fused_generator.hpp"
#include "dg/codegen/vectors/lane_rows.hpp"
#include "dg/codegen/vectors/record_squares.hpp"

namespace maxwell_dg::dg {

/// Prints dg/codegen/lanes/stage_lanes.kernel, a stage in which a work-item computes blocks of elements, each element
/// in one SIMD lane (Schedule::Lanes), and orders the entries of matrices as that kernel reads them.
class LaneGenerator : public FusedGenerator {
 public:
  /// Throws std::invalid_argument for a schedule of another slicing, or one that does not fit.
  LaneGenerator(const LoweredSystem& lowered, Options options)
      : LaneGenerator(lowered, std::move(options), Unchecked{}) {
    require(fit(slicing(), nullptr), options_.schedule);
  }
  /// A generator only for calls of `fit`: its own schedule need not fit. Throws std::invalid_argument for a schedule of
  /// another slicing.
  [[nodiscard]] static LaneGenerator to_ask(const LoweredSystem& lowered, Options options) {
    return {lowered, std::move(options), Unchecked{}};
  }
  /// Whether a schedule with the same Parts fits, on the device unless it is null.
  [[nodiscard]] Fit fit(const Schedule::Lanes& schedule, const core::DeviceInfo* device) const;

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int group_items() const override { return 1; }
  [[nodiscard]] int elements_per_group() const override { return blocks_per_group() * slicing().lanes; }
  [[nodiscard]] std::size_t shared_bytes() const override { return shared_bytes(slicing().lanes); }
  /// The invariants of the element, then for each face its normal and its invariants.
  [[nodiscard]] int invariant_row() const override { return first_of_faces() + 4 * values_of_a_face(); }
  /// As the rows of LaneRows read them.
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement& reference) const override;
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement& reference) const override;

 private:
  struct Unchecked {};
  LaneGenerator(const LoweredSystem& lowered, Options options, Unchecked unchecked);
  /// The shared memory of a group whose vectors have `lanes` lanes.
  [[nodiscard]] std::size_t shared_bytes(int lanes) const;
  [[nodiscard]] const Schedule::Lanes& slicing() const { return options_.schedule.as<Schedule::Lanes>(); }
  [[nodiscard]] bool keeps_new_state_in_caches() const;
  [[nodiscard]] int blocks_per_group() const;
  [[nodiscard]] int first_of_faces() const { return count_of(contracted_.element_invariants); }
  [[nodiscard]] int values_of_a_face() const { return 3 + count_of(contracted_.face_invariants); }
  /// Slots of the array of fluxes, which later holds the rates at all nodes.
  [[nodiscard]] int flux_slots() const { return std::max(4 * Nfp_, Np_); }
  /// Length of a table's row for the nodes of a face: a multiple of eight.
  [[nodiscard]] int face_row() const { return round_up(Nfp_, 8); }
  [[nodiscard]] symbolic::PrintedCode print_values(std::span<const symbolic::Expr> outputs) const;
  /// Values of the template: of expressions (values_by_kind), of a part of the equations, and of tables in constant
  /// memory.
  [[nodiscard]] rtcg::Record printed_values(std::span<const symbolic::Expr> outputs) const;
  [[nodiscard]] rtcg::Value::List part_values() const;
  [[nodiscard]] rtcg::Value::List tables() const;

  KernelGenerator prologue_;
  ReferenceElement reference_;
  LaneRows rows_;
  RecordSquares squares_;
  std::vector<symbolic::Expr> of_node_;  ///< [field] the part of the volume term that has fields at the node
};

}  // namespace maxwell_dg::dg
