#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/device/device.hpp"

namespace maxwell_dg::rtcg {

struct MeasureOptions {
  int warm_up = 2;                    ///< calls that are not timed
  double warm_up_seconds = 0;         ///< and for how long there are more of them, without a pause until the timings
  int repeats = 9;                    ///< timings
  double seconds_per_repeat = 0.002;  ///< short work is enqueued several times in a row until it lasts this long
  /// In place of the device's clock: seconds, read when the device has nothing to do. For tests, whose outcome must not
  /// depend on what else the machine does.
  std::function<double()> clock = {};
};

/// Device seconds of one call of an `enqueue`, over all repeats.
struct Timing {
  double median{};
  double best{};  ///< what the device can do: others that use the machine only ever make a repeat slower
};

/// Times `enqueue`, which puts work into the stream without waiting for it.
[[nodiscard]] Timing measure(const core::Stream& stream, const std::function<void()>& enqueue,
                             const MeasureOptions& options = {});

/// The median alone.
[[nodiscard]] double measure_seconds(const core::Stream& stream, const std::function<void()>& enqueue,
                                     const MeasureOptions& options = {});

/// A stream, and what puts work into it without waiting for it.
struct Work {
  core::Stream stream;
  std::function<void()> enqueue;
};

/// Times works in turns of a tenth of a second, for so many seconds in all, each at least once: where others use the
/// machine, they are in the way of all alike. Of each, the tenth percentile of the device seconds of its single calls.
[[nodiscard]] std::vector<double> measure_in_turns(std::span<const Work> works, double seconds);

}  // namespace maxwell_dg::rtcg
