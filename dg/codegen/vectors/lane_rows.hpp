#pragma once

#include <vector>

#include <Eigen/Core>

#include "dg/lowering/contraction.hpp"
#include "dg/reference/derivative_nodes.hpp"
#include "dg/reference/mirror_sums.hpp"
#include "dg/reference/reference_element.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// A loop over the rows `first` to `end` - 1 of some rows. Each pass computes `at_once` rows, of which the first
/// `multiplied` have their volume terms multiplied out.
struct LaneStep {
  int first, end, at_once, multiplied;
};

/// Divides rows into passes of at most `most_at_once` rows that are as equal as possible; equal adjacent passes are one
/// LaneStep. The first `multiplied` rows are multiplied out.
[[nodiscard]] std::vector<LaneStep> lane_steps(int rows, int multiplied, int most_at_once);

/// The rows of the matrices that yield volume terms and lifted fluxes between mirror sums, as kernels with an element
/// in each SIMD lane compute them (rows_at_once.kernel): kind by kind, first the rows whose volume terms are multiplied
/// out, then those whose volume terms are interpolated (DerivativeNodes).
class LaneRows {
 public:
  /// `lifted`: of the points whose fluxes are lifted to nodes. `at_once`: rows whose sums are in registers, at most.
  LaneRows(const ReferenceElement& reference, MirrorSums lifted, int at_once);

  [[nodiscard]] const MirrorSums& nodes() const { return nodes_; }
  [[nodiscard]] const MirrorSums& lifted() const { return lifted_; }
  /// The template value `kinds`, and the slots of all rows.
  [[nodiscard]] rtcg::Value::List values() const;
  [[nodiscard]] std::vector<int> row_slots() const;
  /// The largest number of rows of a kind that are multiplied out.
  [[nodiscard]] int most_multiplied() const;
  /// For each kind of mirror sums, in the order in which they are read: [step][axis][column][row of the step], then the
  /// interpolation, [step][multiplied row][row of the step].
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement& reference) const;
  /// [step][column][row of the step], for each kind of mirror sums. `lift`: [node, lifted point].
  [[nodiscard]] std::vector<double> lift_factors(const Eigen::MatrixXd& lift) const;

 private:
  /// The rows that yield mirror sums of one kind.
  struct Rows {
    int kind;
    int multiplied, interpolated;  ///< how many there are
    int first;                     ///< the number of the first row, counted over all kinds
    int first_d, first_lift;       ///< the offsets of their factors
    int columns_of_d, columns_of_lift;
    [[nodiscard]] int count() const { return multiplied + interpolated; }
  };
  [[nodiscard]] std::vector<Rows> sorted_rows() const;
  [[nodiscard]] std::vector<LaneStep> steps(const Rows& rows) const {
    return lane_steps(rows.count(), rows.multiplied, at_once_);
  }
  /// The slots of rows `first` to `end` - 1 of a kind.
  [[nodiscard]] std::vector<int> slots(const Rows& rows, int first, int end) const;
  [[nodiscard]] rtcg::Record row_values(const Rows& rows) const;

  int at_once_;
  MirrorSums nodes_, lifted_;
  std::vector<DerivativeNodes> derivatives_;  ///< [kind]
  std::vector<Rows> rows_;
};

/// A matrix from mirror sums of some points to shares of others, as such kernels multiply by it: kind by kind, some
/// rows at a time, whose factors are [step][column][row of the step].
class LaneProducts {
 public:
  LaneProducts(const MirrorSums& rows, const MirrorSums& columns, int at_once);

  /// A list of {first_row, first_column (slots), columns, first_factor, steps: {first, end, at_once}}, of kinds that
  /// have rows.
  [[nodiscard]] rtcg::Value::List values() const;
  /// `matrix`: [row slot, column slot].
  [[nodiscard]] std::vector<double> factors(const Eigen::MatrixXd& matrix) const;

 private:
  struct Kind {
    int first_row, rows, first_column, columns, first_factor;
  };
  int at_once_;
  std::vector<Kind> kinds_;
};

/// The arguments of add_mirrored for some mirror sums.
[[nodiscard]] rtcg::Value::List mirrored_values(const MirrorSums& sums);

/// A part of the equations, of fields that share contractions, and its volume terms, printed.
struct LanePart {
  std::vector<int> fields, contractions, invariants;
  rtcg::Record equations;
};

/// From this order on parts of the equations are a loop where they can be. Stages then compile in three quarters of the
/// time at order 9, and run as fast; at lower orders there is less to compile.
inline constexpr int first_order_of_looped_parts = 7;

/// The template value `parts` of rows_at_once.kernel, a list of {fields, invariants, axes, alternatives,
/// fields_apart, operands_apart}. `axes`: for each axis, operands and terms of contractions, {operands, terms: {w,
/// operand, sign}}, where `w` is an index into the part's contractions. `alternatives`: a list of {contractions,
/// equations}. There is one, and the distances are 0; but if `in_a_loop`, and all parts read and write the same, only
/// from other fields and operands (those of E and of H do), they are one part with an alternative for each: half the
/// text.
[[nodiscard]] rtcg::Value::List lane_parts(const ContractedSystem& contracted, const std::vector<LanePart>& parts,
                                           bool in_a_loop);

}  // namespace maxwell_dg::dg
