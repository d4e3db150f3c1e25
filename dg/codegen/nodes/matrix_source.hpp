#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// The entries of Dr, Ds and Dt, [column m][axis][row n], and of LIFT, [column j][row n]. Neighbouring work-items have
/// neighbouring rows, so they read neighbouring numbers.
[[nodiscard]] std::vector<double> derivatives_by_columns(const ReferenceElement& reference);
[[nodiscard]] std::vector<double> lift_by_columns(const ReferenceElement& reference);

/// Where the work-items of a group read their rows of a matrix from, which has NP rows (Schedule::Operators).
struct MatrixSource {
  std::string name;
  Schedule::Operators operators{};
  int columns{};
  int values_before{};  ///< if the matrix is in shared memory: its offset there

  /// The template value `matrix` of matrix_source.kernel. `entries` is called only for a table in constant memory.
  [[nodiscard]] rtcg::Record values(const std::function<std::vector<double>()>& entries, Dtype precision) const;
};

}  // namespace maxwell_dg::dg
