#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "dg/codegen/vectors/lane_rows.hpp"
#include "dg/reference/mirror_sums.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// A matrix from mirror sums of some points to shares of others, as kernels with an element in each SIMD lane multiply
/// by it (lane_products.kernel): kind by kind, some rows at a time, whose factors are [step][column][row of the step].
class LaneProducts {
 public:
  LaneProducts(const MirrorSums& rows, const MirrorSums& columns, int at_once);

  /// Where the text has a copy for each kind: a list of {is_loop, numbers (of the first rows' slots), first_column,
  /// columns, first_factor, steps: {first, end, at_once}}, of kinds that have rows.
  [[nodiscard]] rtcg::Value::List values() const;
  /// For a text with one loop over these kinds (loop_over_kinds): a list of one, with names of variables in place of
  /// numbers, and passes of every shape that some kind has. `names`: those of the variables, in the order of a row of
  /// `table`, which has one for each of the `count` kinds.
  [[nodiscard]] rtcg::Value::List loop_values(const std::string& table) const;
  [[nodiscard]] std::vector<int> loop_table() const;
  /// `matrix`: [row slot, column slot].
  [[nodiscard]] std::vector<double> factors(const Eigen::MatrixXd& matrix) const;

 private:
  struct Kind {
    int first_row, rows, first_column, columns, first_factor;
  };
  [[nodiscard]] std::vector<std::vector<LaneStep>> steps_of_kinds() const;

  int at_once_;
  std::vector<Kind> kinds_;
};

}  // namespace maxwell_dg::dg
