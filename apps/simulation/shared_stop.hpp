#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "apps/simulation/stopwatch.hpp"
#include "core/mpi/communicator.hpp"

namespace maxwell_dg::simulation {

/// Whether some of several ranks is to stop, asked between steps. To ask the others takes as long as a small step: it
/// is done some `seconds_between` apart, after as many steps as all ranks find together from how long the last ones
/// took.
class SharedStop {
 public:
  static constexpr double seconds_between = 0.05;

  /// `wanted`: of this rank; may be empty.
  SharedStop(core::Communicator ranks, std::function<bool()> wanted)
      : ranks_(std::move(ranks)), wanted_(std::move(wanted)) {}

  /// Before each step, by all ranks. Collective.
  [[nodiscard]] bool operator()() {
    if (ranks_.size() == 1) return wanted_ && wanted_();
    if (++steps_ < every_) return false;
    const bool wants = wanted_ && wanted_();
    std::array<double, 2> of_all{wants ? 1.0 : 0.0, watch_.lap() / static_cast<double>(steps_)};
    ranks_.max(of_all);
    steps_ = 0;
    const double fits = std::min(seconds_between / of_all[1], 1e6);
    every_ = std::clamp(static_cast<long>(fits), 1L, 2 * every_);  // no single quick step counts much
    return of_all[0] != 0;
  }

 private:
  core::Communicator ranks_;
  std::function<bool()> wanted_;
  Stopwatch watch_;
  long steps_ = 0;  ///< since the others were asked
  long every_ = 1;  ///< steps
};

}  // namespace maxwell_dg::simulation
