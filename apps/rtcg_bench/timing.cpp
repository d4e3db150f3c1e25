#include "apps/rtcg_bench/timing.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "rtcg/tune/measure.hpp"

namespace maxwell_dg::bench {

namespace {

double seconds_of(const std::function<void()>& call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

}  // namespace

double median_seconds(const std::function<void()>& call, int repeats) {
  call();
  std::vector<double> seconds;
  for (int k = 0; k < repeats; ++k) seconds.push_back(seconds_of(call));
  return median(seconds);
}

InTurns seconds_in_turns(const core::Stream& stream, const std::function<void()>& enqueue,
                         const std::function<void()>& on_host, int turns) {
  on_host();
  enqueue();
  std::vector<double> device, host;
  for (int turn = 0; turn < turns; ++turn) {
    device.push_back(rtcg::measure_seconds(stream, enqueue, {.warm_up = 0, .repeats = 1}));
    host.push_back(seconds_of(on_host));
  }
  return {.device = median(device), .host = median(host)};
}

}  // namespace maxwell_dg::bench
