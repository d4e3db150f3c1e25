#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::dg {

/// Values of Dr, Ds and Dt, [column m][axis][row n], and of LIFT, [column j][row n]: neighbouring items, which have
/// neighbouring rows, read neighbouring numbers.
[[nodiscard]] std::vector<double> derivatives_by_columns(const ReferenceElement& reference);
[[nodiscard]] std::vector<double> lift_by_columns(const ReferenceElement& reference);

/// From where the items of a group read their rows of a matrix of some columns and NP rows (Schedule::Operators), as
/// text for a kernel that knows the `item`, its row `n`, and the matrix in memory by its name.
struct MatrixPlace {
  std::string name;
  Schedule::Operators operators{};
  int columns{};
  std::string items;    ///< what the kernel calls the size of a group
  std::string on_chip;  ///< where there is room on the chip, for `values_on_chip`

  [[nodiscard]] int values_on_chip(int Np) const;
  [[nodiscard]] std::size_t bytes_of_table(int Np, Dtype precision) const;
  /// In constant memory, before the kernel, where there is one; then `values` is called.
  [[nodiscard]] std::string table(const std::function<std::vector<double>()>& values, Dtype precision) const;
  /// At its begin.
  [[nodiscard]] rtcg::syntax::Block keep() const;
  /// The item's number in a column.
  [[nodiscard]] std::string at(const std::string& column) const;
  /// In front of the loop over the columns.
  [[nodiscard]] std::string unroll() const;
};

}  // namespace maxwell_dg::dg
