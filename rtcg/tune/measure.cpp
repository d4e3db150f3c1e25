#include "rtcg/tune/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace maxwell_dg::rtcg {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const core::Stream& stream, const std::function<void()>& enqueue, int calls,
                  const std::function<double()>& clock = {}) {
  const double before = clock ? clock() : 0;
  const core::Event begin = stream.record();
  for (int i = 0; i < calls; ++i) enqueue();
  const core::Event end = stream.record();
  if (!clock) return core::Event::seconds_between(begin, end);
  stream.synchronize();
  return clock() - before;
}

}  // namespace

Timing measure(const core::Stream& stream, const std::function<void()>& enqueue, const MeasureOptions& options) {
  for (int i = 0; i < options.warm_up; ++i) enqueue();
  stream.synchronize();
  // Timers tick in microseconds on some drivers: bundle calls until a repeat is long against that.
  constexpr double most_calls = 1000;
  const auto timed = [&](int calls) { return seconds_of(stream, enqueue, calls, options.clock); };
  const double once = std::max(timed(1), options.seconds_per_repeat / most_calls);
  const int calls = static_cast<int>(std::clamp(std::ceil(options.seconds_per_repeat / once), 1.0, most_calls));
  const auto now = options.clock ? options.clock : [] {
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  };
  for (const double begin = now(); now() - begin < options.warm_up_seconds;) (void)timed(calls);
  std::vector<double> seconds;
  for (int i = 0; i < std::max(options.repeats, 1); ++i) seconds.push_back(timed(calls) / calls);
  std::sort(seconds.begin(), seconds.end());
  return {.median = seconds[seconds.size() / 2], .best = seconds.front()};
}

double measure_seconds(const core::Stream& stream, const std::function<void()>& enqueue,
                       const MeasureOptions& options) {
  return measure(stream, enqueue, options).median;
}

std::vector<double> measure_in_turns(std::span<const Work> works, double seconds) {
  constexpr std::chrono::duration<double> a_turn(0.1);
  const std::chrono::duration<double> all(seconds);
  std::vector<std::vector<double>> calls(works.size());
  const Clock::time_point begin = Clock::now();
  do {
    for (std::size_t i = 0; i < works.size(); ++i) {
      const auto& [stream, enqueue] = works[i];
      for (int call = 0; call < MeasureOptions().warm_up; ++call) enqueue();
      stream.synchronize();
      const Clock::time_point begin_of_turn = Clock::now();
      do {
        calls[i].push_back(seconds_of(stream, enqueue, 1));
      } while (Clock::now() - begin_of_turn < a_turn);
    }
  } while (Clock::now() - begin < all);
  std::vector<double> percentiles;
  for (std::vector<double>& of_work : calls) {
    const auto tenth = of_work.begin() + static_cast<std::ptrdiff_t>(of_work.size() / 10);
    std::ranges::nth_element(of_work, tenth);
    percentiles.push_back(*tenth);
  }
  return percentiles;
}

}  // namespace maxwell_dg::rtcg
