#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "dg/checkpoint/archive.hpp"

namespace maxwell_dg::dg {

/// The turn, of so many of equal length, that a time belongs to.
[[nodiscard]] std::size_t turn_at(double time, double end, std::size_t turns);

/// Records how far a non-negative quantity has decayed from its peak, in each turn of a run. A run is one turn, or
/// several of equal length in which one port after the other is driven; the last values of each may be left out.
class DecayRecord {
 public:
  struct Options {
    double end = 1;         ///< the time at the end of the run, in the unit of `add`
    std::size_t turns = 1;  ///< at least one
    double window = 0;      ///< the last value is the largest of the latest such time (oscillations, echoes)
    std::string name{};     ///< prefix of the names in an archive
  };
  explicit DecayRecord(Options options);

  /// To be called in the order of time.
  void add(double time, double value);

  [[nodiscard]] std::size_t turns() const { return turns_.size(); }
  [[nodiscard]] double peak(std::size_t turn) const { return turns_.at(turn).peak; }
  [[nodiscard]] double last(std::size_t turn) const { return turns_.at(turn).last; }
  /// The last value over the peak; none if all values were zero.
  [[nodiscard]] std::optional<double> ratio(std::size_t turn) const;

  void save(Archive& archive) const;
  /// Restores what `save` stored; does nothing for an archive without it.
  void load(const Archive& archive);

 private:
  struct Turn {
    double peak{}, last{};
  };
  struct Sample {
    double time{}, value{};
  };
  Options options_;
  std::vector<Turn> turns_;
  std::size_t turn_ = 0;       ///< of the window
  std::deque<Sample> window_;  ///< those that no later one exceeds, so values fall: the first is the largest
};

}  // namespace maxwell_dg::dg
