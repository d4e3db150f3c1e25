#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/simulation/simulation.hpp"
#include "apps/simulation/stopwatch.hpp"

namespace maxwell_dg {

/// What a person watches of a simulation: a bar where stderr is a terminal, else a plain line now and then.
class Progress {
 public:
  /// Of the steps from now on. The simulation outlives it.
  explicit Progress(simulation::Simulation& simulation);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// To be called after every step: shows something if it is time to.
  void show();
  /// So that something else can be said.
  void clear_bar();

 private:
  [[nodiscard]] std::string status() const;
  /// As far as is known: at most, or by the decay of the fields.
  [[nodiscard]] double steps_left(const std::optional<simulation::DecayStatus>& decay) const;
  void draw_bar();

  simulation::Simulation& simulation_;
  std::vector<std::string> driven_;  ///< ports, each for an equal share of the run
  bool terminal_;
  bool drawn_ = false;
  long steps_ = -1;  ///< since the first time
  simulation::Stopwatch total_;
  simulation::Stopwatch since_shown_;
};

}  // namespace maxwell_dg
