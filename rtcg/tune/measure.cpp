#include "rtcg/tune/measure.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace maxwell_dg::rtcg {

namespace {

double seconds_of(const core::Stream& stream, const std::function<void()>& enqueue, int calls) {
  const core::Event begin = stream.record();
  for (int i = 0; i < calls; ++i) enqueue();
  const core::Event end = stream.record();
  return core::Event::seconds_between(begin, end);
}

}  // namespace

Timing measure(const core::Stream& stream, const std::function<void()>& enqueue, const MeasureOptions& options) {
  for (int i = 0; i < options.warm_up; ++i) enqueue();
  stream.synchronize();
  // Timers tick in microseconds on some drivers: bundle calls until a repeat is long against that.
  constexpr double most_calls = 1000;
  const double once = std::max(seconds_of(stream, enqueue, 1), options.seconds_per_repeat / most_calls);
  const int calls = static_cast<int>(std::clamp(std::ceil(options.seconds_per_repeat / once), 1.0, most_calls));
  std::vector<double> seconds;
  for (int i = 0; i < std::max(options.repeats, 1); ++i) seconds.push_back(seconds_of(stream, enqueue, calls) / calls);
  std::sort(seconds.begin(), seconds.end());
  return {.median = seconds[seconds.size() / 2], .best = seconds.front()};
}

double measure_seconds(const core::Stream& stream, const std::function<void()>& enqueue,
                       const MeasureOptions& options) {
  return measure(stream, enqueue, options).median;
}

}  // namespace maxwell_dg::rtcg
