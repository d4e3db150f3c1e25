#pragma once

#include <cstddef>
#include <vector>

#include "dg/codegen/curved/curved_kinds.hpp"
#include "dg/codegen/curved/lanes/tangent_basis.hpp"
#include "dg/codegen/fit.hpp"
#include "dg/codegen/vectors/lane_products.hpp"
#include "dg/codegen/vectors/lane_rows.hpp"
#include "dg/codegen/vectors/record_squares.hpp"
#include "dg/reference/mirror_sums.hpp"

namespace maxwell_dg::dg {

/// Prints dg/codegen/curved/lanes/stage_curved_lanes.kernel, for CPUs whose straight elements are computed by
/// Schedule::Lanes: a work-item computes blocks of curved elements, each element in one SIMD lane.
class CurvedLaneGenerator : public CurvedGenerator {
 public:
  struct Choices {
    int lanes = 4;  ///< elements of a block
    int rows = 1;   ///< rows of a matrix, at most, whose sums are in registers together
  };
  /// Throws std::invalid_argument for choices that do not fit, or a schedule of another slicing.
  CurvedLaneGenerator(const CurvedProblem& problem, const Choices& choices);
  /// Whether choices fit, on the device unless it is null. Fluxes must depend on differences of traces alone.
  [[nodiscard]] static Fit fit(const CurvedProblem& problem, const Choices& choices, const core::DeviceInfo* device);

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int group_items() const override { return 1; }
  [[nodiscard]] int elements_per_group() const override { return blocks_per_group() * choices_.lanes; }
  [[nodiscard]] std::size_t shared_bytes() const override;
  [[nodiscard]] PointOrder point_order() const override { return {.block = choices_.lanes, .by_point = true}; }
  [[nodiscard]] std::vector<double> numbers_at_node(const CurvedGeometry::Gradients& gradients) const override {
    return basis_.numbers(gradients);
  }
  [[nodiscard]] std::vector<std::vector<double>> matrices() const override;

 private:
  struct Unchecked {};
  CurvedLaneGenerator(const CurvedProblem& problem, const Choices& choices, Unchecked unchecked);

  [[nodiscard]] int fields() const { return static_cast<int>(lowered().volume.size()); }
  [[nodiscard]] int blocks_per_group() const;
  [[nodiscard]] int flux_slots() const;
  [[nodiscard]] int most_fields_of_a_part() const;
  /// [field] operands of contractions, as field symbols, in place of the fields at a point.
  [[nodiscard]] std::vector<symbolic::Expr> fields_of_operands() const;
  /// [field] what is lifted to the field's sum at a face point, from traces: the outside ones less the inside ones.
  [[nodiscard]] std::vector<symbolic::Expr> lifted(int face) const;
  [[nodiscard]] rtcg::Record printed_values(const std::vector<symbolic::Expr>& expressions) const;
  [[nodiscard]] rtcg::Record face_values(int face) const;
  [[nodiscard]] rtcg::Value::List part_values() const;
  [[nodiscard]] rtcg::Value::List condition_values() const;
  /// Invariants of the element without which the equations read no fields: where all of them are zero, they need none.
  [[nodiscard]] std::vector<int> losses() const;
  [[nodiscard]] bool loops_over_kinds() const { return options().N >= first_order_of_looped_kinds; }
  [[nodiscard]] rtcg::Value::List tables() const;

  Choices choices_;
  TangentBasis basis_;
  LaneRows rows_;
  MirrorSums points_, nodes_of_face_, points_of_face_;
  LaneProducts at_face_, at_volume_, from_volume_;
  RecordSquares squares_;
  std::vector<std::vector<int>> parts_;    ///< fields whose sums are computed together
  std::vector<symbolic::Expr> equations_;  ///< of sums and, as field symbols, operands at a point
  std::vector<int> own_operands_;          ///< that the equations read
};

[[nodiscard]] CurvedKind curved_lanes();

}  // namespace maxwell_dg::dg
