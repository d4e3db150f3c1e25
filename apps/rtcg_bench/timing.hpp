#pragma once

#include <functional>

#include "core/device/stream.hpp"

namespace maxwell_dg::bench {

/// Median seconds of a call on the host, after one that is not timed.
[[nodiscard]] double median_seconds(const std::function<void()>& call, int repeats = 7);

/// Medians of what the device and what the host takes for the same, in turns: who else uses the machine slows both.
struct InTurns {
  double device{}, host{};
};
[[nodiscard]] InTurns seconds_in_turns(const core::Stream& stream, const std::function<void()>& enqueue,
                                       const std::function<void()>& on_host, int turns = 7);

}  // namespace maxwell_dg::bench
