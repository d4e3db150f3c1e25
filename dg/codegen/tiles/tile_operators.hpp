#pragma once

#include <cstddef>
#include <string>

#include "core/dtype.hpp"
#include "dg/schedule/schedule.hpp"

namespace maxwell_dg::dg {

/// From where the warps of a stage by tiles read the right factors of their products (Schedule::Operators), those of D,
/// that is Dr, Ds and Dt, and those of LIFT: names for stage_tiles.kernel.
struct TileOperators {
  Schedule::Operators from{};
  Dtype precision{};
  int D_values{}, LIFT_values{};  ///< numbers that factors are, as they lie in memory

  [[nodiscard]] int shared_values() const;
  [[nodiscard]] bool are_tables() const { return from == Schedule::Operators::constant; }
  [[nodiscard]] std::size_t bytes_of_tables() const;  ///< in constant memory

  /// The address space of a pointer to factors.
  [[nodiscard]] std::string memory() const;
  /// What the kernel calls the factors of D or LIFT.
  [[nodiscard]] std::string of(const std::string& matrix) const;
};

}  // namespace maxwell_dg::dg
