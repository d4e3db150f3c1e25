#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "core/device/device.hpp"
#include "core/round_up.hpp"
#include "dg/operator/range_progress.hpp"

namespace maxwell_dg::dg {

/// The two copies of a state, of which a stage reads one and writes the other, and the copy that each range of elements
/// is in (RangeProgress). Both may be the same buffer: then stages update the state in place.
class StateCopies {
 public:
  using Buffers = std::array<core::Buffer, 2>;

  /// All ranges are in the first copy.
  StateCopies(Buffers buffers, const Discretization& discretization, const Problem& problem)
      : buffers_(std::move(buffers)), progress_(discretization, problem) {}

  /// The copy that the whole state is in, and the other one. These throw std::logic_error if some ranges have computed
  /// more stages than others.
  [[nodiscard]] const core::Buffer& current() const { return buffers_.at(index(progress_.copy())); }
  [[nodiscard]] const core::Buffer& other() const { return buffers_.at(index(1 - progress_.copy())); }
  /// Both, the current one first: what the stage of another schedule begins with.
  [[nodiscard]] Buffers in_order() const { return {current(), other()}; }

  /// The copies that the next stage of a range reads and writes, and the number of the former, 0 or 1.
  [[nodiscard]] const core::Buffer& read_by(std::size_t range) const { return buffers_.at(index(number(range))); }
  [[nodiscard]] const core::Buffer& written_by(std::size_t range) const {
    return buffers_.at(index(1 - number(range)));
  }
  [[nodiscard]] int number(std::size_t range) const { return progress_.copy_of(range); }

  /// Throws std::logic_error if a range may not compute its next stage yet.
  void check_turn(std::size_t range) const { progress_.check_turn(range); }
  /// Counts a stage of one range, or of all.
  void advance(std::size_t range) { progress_.advance(range); }
  void advance_all() { progress_.advance_all(); }

 private:
  Buffers buffers_;
  RangeProgress progress_;
};

}  // namespace maxwell_dg::dg
