#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dg/checkpoint/archive.hpp"

namespace maxwell_dg::dg {

/// How far a quantity that is never negative has died away from its peak when a turn of a run ends. A run is one turn,
/// or several of equal length, in each of which another port is driven.
class DecayRecord {
 public:
  struct Options {
    double end = 1;         ///< of the run; any unit of time
    std::size_t turns = 1;  ///< at least one
    double window = 0;      ///< at the end of a turn, whose largest value counts as the last: of what oscillates
    std::string name{};     ///< what an archive keeps begins with it
  };
  explicit DecayRecord(Options options);

  /// In the order of time.
  void add(double time, double value);

  [[nodiscard]] std::size_t turns() const { return turns_.size(); }
  [[nodiscard]] double peak(std::size_t turn) const { return turns_.at(turn).peak; }
  [[nodiscard]] double last(std::size_t turn) const { return turns_.at(turn).last; }
  /// Last over peak; nothing where all was zero.
  [[nodiscard]] std::optional<double> ratio(std::size_t turn) const;

  void save(Archive& archive) const;
  /// What `save` kept; nothing of an archive without it.
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
