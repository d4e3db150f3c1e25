#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/round_up.hpp"
#include "dg/codegen/fit.hpp"
#include "dg/codegen/fused_generator.hpp"
#include "dg/codegen/lanes/record_squares.hpp"
#include "dg/reference/derivative_nodes.hpp"
#include "dg/reference/mirror_sums.hpp"

namespace maxwell_dg::dg {

/// Prints dg/codegen/lanes/stage_lanes.kernel, a stage in which an item has blocks of elements, one SIMD lane each
/// (Schedule::Lanes), and arranges matrices the way that kernel reads them.
class LaneGenerator : public FusedGenerator {
 public:
  /// Throws std::invalid_argument on a schedule of another slicing, or that does not fit.
  LaneGenerator(const LoweredSystem& lowered, Options options)
      : LaneGenerator(lowered, std::move(options), Unchecked{}) {
    require(fit(slicing(), nullptr), options_.schedule);
  }
  /// One whose schedule need not fit: to be asked what would. Throws std::invalid_argument on one of another slicing.
  [[nodiscard]] static LaneGenerator to_ask(const LoweredSystem& lowered, Options options) {
    return {lowered, std::move(options), Unchecked{}};
  }
  /// Whether a schedule of the same parts fits, on a device where one is given.
  [[nodiscard]] Fit fit(const Schedule::Lanes& schedule, const core::DeviceInfo* device) const;

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int group_items() const override { return 1; }
  [[nodiscard]] int elements_per_group() const override { return blocks_per_group() * slicing().lanes; }
  [[nodiscard]] std::size_t shared_bytes() const override { return shared_bytes(slicing().lanes); }
  /// The invariants of the element, then for each face its normal and its invariants.
  [[nodiscard]] int invariant_row() const override { return first_of_faces() + 4 * values_of_a_face(); }
  /// In the order of their use, for each kind of mirror sums: [some rows at once][axis][column][row], behind that the
  /// interpolation, [some rows at once][row that is multiplied out][row].
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement& reference) const override;
  /// The same, [some rows at once][column][row].
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement& reference) const override;

 private:
  struct Unchecked {};
  LaneGenerator(const LoweredSystem& lowered, Options options, Unchecked unchecked);
  /// Of a group whose vectors have so many lanes.
  [[nodiscard]] std::size_t shared_bytes(int lanes) const;
  /// Rows of the matrices between mirror sums of one kind: first those whose volume terms are multiplied out, then
  /// those whose are interpolated.
  struct Rows {
    int kind;
    int multiplied, interpolated;
    int first;                ///< of all kinds' rows
    int first_D, first_LIFT;  ///< where their factors begin
    int columns_of_D, columns_of_LIFT;
    [[nodiscard]] int count() const { return multiplied + interpolated; }
  };
  /// Of a kind's rows, so many at once, of which the first so many are multiplied out.
  struct Step {
    int first, end, at_once, multiplied;
  };

  [[nodiscard]] std::vector<Rows> sorted_rows() const;
  /// All rows of a kind, in as even steps as they can be; alike ones together.
  [[nodiscard]] std::vector<Step> steps(const Rows& rows) const;
  /// The slots of some of a kind's rows.
  [[nodiscard]] std::vector<int> slots(const Rows& rows, int first, int end) const;
  [[nodiscard]] const Schedule::Lanes& slicing() const { return options_.schedule.as<Schedule::Lanes>(); }
  [[nodiscard]] bool keeps_new_state_in_caches() const;
  [[nodiscard]] int blocks_per_group() const;
  [[nodiscard]] int first_of_faces() const { return count_of(contracted_.element_invariants); }
  [[nodiscard]] int values_of_a_face() const { return 3 + count_of(contracted_.face_invariants); }
  /// Rows of a kind that are multiplied out, at most.
  [[nodiscard]] int most_multiplied() const;
  /// Of the fluxes, where the rates at all nodes find a place later.
  [[nodiscard]] int flux_slots() const { return std::max(4 * Nfp_, Np_); }
  /// Places of a face's nodes, in whole vectors of eight.
  [[nodiscard]] int face_row() const { return round_up(Nfp_, 8); }
  [[nodiscard]] symbolic::PrintedCode print_values(std::span<const symbolic::Expr> outputs) const;
  /// What the template is given: of expressions (values_by_kind), of a part of the equations, of a kind's rows, and
  /// tables in constant memory.
  [[nodiscard]] rtcg::Record printed_values(std::span<const symbolic::Expr> outputs) const;
  [[nodiscard]] rtcg::Record part_values(const Part& part) const;
  [[nodiscard]] rtcg::Record row_values(const Rows& rows) const;
  [[nodiscard]] rtcg::Value::List tables() const;

  KernelGenerator prologue_;
  ReferenceElement reference_;
  MirrorSums nodes_, face_nodes_;
  std::vector<DerivativeNodes> derivatives_;  ///< [kind]
  std::vector<Rows> rows_;
  RecordSquares squares_;
  std::vector<symbolic::Expr> of_node_;  ///< what volume terms, which are linear, have of the fields at a node
};

}  // namespace maxwell_dg::dg
