#include "rtcg/tune/trial.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

#include "core/error.hpp"

namespace maxwell_dg::rtcg {

namespace {

std::string readable(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

}  // namespace

std::string first_line(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

std::string Trial::objection(const Candidate& candidate, const core::KernelAttributes& attributes,
                             double best_seconds) const {
  const core::DeviceInfo& info = device_.info();
  if (candidate.least_seconds > best_seconds) {
    return "cannot take less than " + readable(candidate.least_seconds) + ", the best takes " + readable(best_seconds);
  }
  const bool says_spills = info.backend == core::Backend::cuda;
  if (says_spills && attributes.local_bytes > options_.spill_bytes) {
    return "spills " + std::to_string(attributes.local_bytes) + " bytes a work-item (" +
           std::to_string(attributes.registers) + " registers)";
  }
  const auto& size = candidate.shape.group_size;
  const std::size_t items = size[0] * size[1] * size[2];
  if (attributes.max_group_size != 0 && items > attributes.max_group_size) {
    return "a group of " + std::to_string(items) + " is larger than the " + std::to_string(attributes.max_group_size) +
           " that its registers allow";
  }
  const std::size_t shared = attributes.shared_bytes + candidate.shape.dynamic_shared_bytes;
  if (shared > info.shared_memory_bytes) {
    return "takes " + std::to_string(shared) + " bytes of shared memory, a group may have " +
           std::to_string(info.shared_memory_bytes);
  }
  return "";
}

void Trial::run(const Candidate& candidate, const core::Module& module) const {
  if (candidate.run) {
    candidate.run(module, stream_);
  } else {
    module.kernel(candidate.kernel).launch(stream_, candidate.shape, candidate.arguments);
  }
}

bool Trial::ends_within(const core::Event& event, double seconds) const {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  auto pause = std::chrono::microseconds(20);
  while (!event.is_done()) {
    const std::chrono::duration<double> waited = Clock::now() - begin;
    if (waited.count() > seconds) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(5000));
  }
  return true;
}

std::string Trial::verify(const Candidate& candidate, const core::Module& module) const {
  try {
    if (problem_.prepare) problem_.prepare(stream_);
    stream_.synchronize();
    run(candidate, module);
    const core::Event end = stream_.record();
    if (!ends_within(end, options_.candidate_seconds)) {
      if (ends_within(end, options_.hang_seconds)) return "takes longer than " + readable(options_.candidate_seconds);
    } else {
      const std::string wrong = problem_.verify(stream_);
      return wrong.empty() ? "" : "wrong result: " + wrong;
    }
  } catch (const OutOfDeviceMemory& error) {
    return first_line(error);
  } catch (const DeviceError& error) {
    // Some failures are the launch's alone; after others nothing works any more in this process.
    try {
      device_.synchronize();
    } catch (const DeviceError&) {
      throw DeviceError("tuning '" + problem_.question + "': a candidate broke the device for this process: " +
                        first_line(error) + "; start again, it is then left out");
    }
    return first_line(error);
  }
  throw DeviceError("tuning '" + problem_.question + "': a candidate still runs after " +
                    readable(options_.candidate_seconds + options_.hang_seconds) +
                    " and blocks the device; end this program and start again, it is then left out");
}

double Trial::time(const Candidate& candidate, const core::Module& module, double best_seconds) const {
  const core::Event begin = stream_.record();
  run(candidate, module);
  const double once = core::Event::seconds_between(begin, stream_.record());
  if (once > options_.slow_factor * best_seconds) return once;
  MeasureOptions measure_options = options_.measure;
  constexpr double long_run = 0.1;
  if (once > long_run) {
    measure_options.warm_up = 0;
    measure_options.repeats = std::min(measure_options.repeats, 2);
  }
  return measure(
             stream_, [&] { run(candidate, module); }, measure_options)
      .best;
}

}  // namespace maxwell_dg::rtcg
