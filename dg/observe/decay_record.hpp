#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dg/checkpoint/archive.hpp"

namespace maxwell_dg::dg {

/// Records how far a non-negative quantity has decayed from its peak by the end of a turn of a run. A run is one turn,
/// or several of equal length in which one port after the other is driven.
class DecayRecord {
 public:
  struct Options {
    double end = 1;         ///< the time at the end of the run, in the unit of `add`
    std::size_t turns = 1;  ///< at least one
    double window = 0;      ///< length of time at the end of a turn, whose largest value is the last one (oscillations)
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
    bool in_window{};
  };
  Options options_;
  std::vector<Turn> turns_;
};

}  // namespace maxwell_dg::dg
