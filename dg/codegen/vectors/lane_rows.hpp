#pragma once

#include <string>
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

/// The shapes of passes (`at_once` and `multiplied` of LaneStep; `first` and `end` are 0) that occur in loops over the
/// rows of several kinds, in an order in which the passes of each kind follow each other.
[[nodiscard]] std::vector<LaneStep> shapes_of(const std::vector<std::vector<LaneStep>>& steps_of_kinds);
/// [shape] where the passes of that shape end, in a loop over rows: where the ones before end, if it has none.
[[nodiscard]] std::vector<int> ends_of(const std::vector<LaneStep>& shapes, const std::vector<LaneStep>& steps);

/// The rows of the matrices that yield volume terms and lifted fluxes between mirror sums, as kernels with an element
/// in each SIMD lane compute them (rows_at_once.kernel): kind by kind, first the rows whose volume terms are multiplied
/// out, then those whose volume terms are interpolated (DerivativeNodes).
class LaneRows {
 public:
  /// `lifted`: of the points whose fluxes are lifted to nodes. `at_once`: rows whose sums are in registers, at most.
  LaneRows(const ReferenceElement& reference, MirrorSums lifted, int at_once);

  [[nodiscard]] const MirrorSums& nodes() const { return nodes_; }
  [[nodiscard]] const MirrorSums& lifted() const { return lifted_; }
  /// The template value `kinds` of rows_at_once.kernel, where the text has a copy for each kind, and the slots of all
  /// rows.
  [[nodiscard]] rtcg::Value::List values() const;
  [[nodiscard]] std::vector<int> row_slots() const;
  /// The same for a text with one loop over all kinds (loop_over_kinds): a list of one, with names of variables in
  /// place of numbers, and passes of every shape that some kind has. `names`: those of the variables, in the order of a
  /// row of `table`, which has one for each kind.
  [[nodiscard]] rtcg::Value::List loop_values(const std::string& table) const;
  [[nodiscard]] std::vector<int> loop_table() const;
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
  [[nodiscard]] std::vector<std::vector<LaneStep>> steps_of_kinds() const;

  int at_once_;
  MirrorSums nodes_, lifted_;
  std::vector<DerivativeNodes> derivatives_;  ///< [kind]
  std::vector<Rows> rows_;
};

/// The arguments of add_mirrored for some mirror sums.
[[nodiscard]] rtcg::Value::List mirrored_values(const MirrorSums& sums);

/// A part of the equations, of fields that share contractions, and its volume terms, printed.
struct LanePart {
  std::vector<int> fields, contractions, invariants;
  rtcg::Record equations;
};

/// From this order on parts of the equations are a loop where they can be, in stages of straight elements. Stages then
/// compile in three quarters of the time at order 9, and run as fast; at lower orders there is less to compile.
inline constexpr int first_order_of_looped_parts = 7;
/// From this order on stages of curved elements have a loop over the kinds of mirror sums, and over such parts. Their
/// text is half as long from order 4 on, and they run as fast; at lower orders it hardly shrinks.
inline constexpr int first_order_of_looped_kinds = 4;

/// The template value `parts` of rows_at_once.kernel, a list of {fields, invariants, axes, alternatives,
/// fields_apart, operands_apart}. `axes`: for each axis, operands and terms of contractions, {operands, terms: {w,
/// operand, sign}}, where `w` is an index into the part's contractions. `alternatives`: a list of {contractions,
/// equations}. There is one, and the distances are 0; but if `in_a_loop`, and all parts read and write the same, only
/// from other fields and operands (those of E and of H do), they are one part with an alternative for each: half the
/// text.
[[nodiscard]] rtcg::Value::List lane_parts(const ContractedSystem& contracted, const std::vector<LanePart>& parts,
                                           bool in_a_loop);

}  // namespace maxwell_dg::dg
