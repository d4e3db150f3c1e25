#pragma once

#include <cstddef>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// How many stages each range of elements has computed, and so in which of two copies the state of each is.
///
/// A stage reads the copy that its range is in, of its own elements and of others, and writes the other copy. So the
/// state of the others must still be there: a range may compute its next stage while no range that it reads is behind
/// it, and those ahead are so by one stage. What reads a whole state needs all ranges to be level.
class RangeProgress {
 public:
  RangeProgress(const Discretization& discretization, const Problem& problem);

  /// 0 or 1.
  [[nodiscard]] int copy_of(std::size_t range) const { return static_cast<int>(stages_[range] % 2); }
  /// The copy that all ranges are in. Throws std::logic_error where they are not level.
  [[nodiscard]] int copy() const;
  [[nodiscard]] bool are_level() const;
  /// Throws std::logic_error where it is not the range's turn.
  void check_turn(std::size_t range) const;
  /// The range has computed a stage. Throws std::logic_error where it was not its turn.
  void advance(std::size_t range);
  /// All have.
  void advance_all();

 private:
  std::vector<std::vector<std::size_t>> read_;  ///< [range] other ranges that it reads, or that read it
  std::vector<std::size_t> stages_;             ///< [range]
};

}  // namespace maxwell_dg::dg
