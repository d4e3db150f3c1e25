#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/schedule/schedule.hpp"

namespace maxwell_dg::dg {

/// From where the warps of a stage by tiles read the right factors of their products (Schedule::Operators), those of D,
/// that is Dr, Ds and Dt, and those of LIFT: texts for stage_tiles.kernel.
struct TileOperators {
  Schedule::Operators from{};
  Dtype precision{};
  int D_values{}, LIFT_values{};  ///< numbers that factors are, as they lie in memory

  [[nodiscard]] int shared_values() const;
  [[nodiscard]] std::size_t bytes_of_tables() const;  ///< in constant memory

  /// The address space of a pointer to factors.
  [[nodiscard]] std::string memory() const;
  /// What the kernel calls the factors of D or LIFT.
  [[nodiscard]] std::string of(const std::string& matrix) const;
  /// Before the kernel; where there are tables, `D` and `LIFT` are called.
  [[nodiscard]] std::string tables(const std::function<std::vector<double>()>& D,
                                   const std::function<std::vector<double>()>& LIFT) const;
  // Behind a line of the kernel each, nothing but with factors in shared memory: where they are there, as the last; how
  // many more values come by copies of rows; and these copies.
  [[nodiscard]] std::string declare_shared() const;
  [[nodiscard]] std::string more_values() const;
  [[nodiscard]] std::string copy() const;
};

}  // namespace maxwell_dg::dg
