#pragma once

#include <chrono>

namespace maxwell_dg::simulation {

/// Wall-clock seconds since it was made, or since the last lap.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const { return since(begin_); }
  /// Seconds since the last call (or the beginning).
  double lap() {
    const double seconds = since(lap_);
    lap_ = Clock::now();
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }
  Clock::time_point begin_ = Clock::now();
  Clock::time_point lap_ = begin_;
};

}  // namespace maxwell_dg::simulation
