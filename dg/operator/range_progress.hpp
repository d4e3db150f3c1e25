#pragma once

#include <cstddef>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// Counts the stages that each range of elements has computed, which tells in which of the two copies its state is.
///
/// A stage of a range reads its own and its neighbours' elements in the current copy and writes the other one. So a
/// range may compute its next stage only while none of the ranges that it reads is behind it, and none is ahead by more
/// than one stage. Whatever reads the whole state needs all ranges to be level.
class RangeProgress {
 public:
  RangeProgress(const Discretization& discretization, const Problem& problem);

  /// 0 or 1.
  [[nodiscard]] int copy_of(std::size_t range) const { return static_cast<int>(stages_[range] % 2); }
  /// The copy that all ranges are in. Throws std::logic_error if they are not level.
  [[nodiscard]] int copy() const;
  [[nodiscard]] bool are_level() const;
  /// Throws std::logic_error if the range may not compute its next stage yet.
  void check_turn(std::size_t range) const;
  /// Counts a stage of a range. Throws std::logic_error if the range was not allowed to compute it.
  void advance(std::size_t range);
  /// Counts a stage of every range.
  void advance_all();

 private:
  std::vector<std::vector<std::size_t>> read_;  ///< [range] other ranges that it reads, or that read it
  std::vector<std::size_t> stages_;             ///< [range]
};

}  // namespace maxwell_dg::dg
