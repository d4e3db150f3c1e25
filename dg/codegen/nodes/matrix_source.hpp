#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// Values of Dr, Ds and Dt, [column m][axis][row n], and of LIFT, [column j][row n]: neighbouring items, which have
/// neighbouring rows, read neighbouring numbers.
[[nodiscard]] std::vector<double> derivatives_by_columns(const ReferenceElement& reference);
[[nodiscard]] std::vector<double> lift_by_columns(const ReferenceElement& reference);

/// From where the items of a group read their rows of a matrix of some columns and NP rows (Schedule::Operators).
struct MatrixSource {
  std::string name;
  Schedule::Operators operators{};
  int columns{};
  int values_before{};  ///< in shared memory, in front of the matrix where it is there

  /// What the template matrix_source.kernel is given as `matrix`. `entries` is called for a table in constant memory.
  [[nodiscard]] rtcg::Record values(const std::function<std::vector<double>()>& entries, Dtype precision) const;
};

}  // namespace maxwell_dg::dg
