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

/// The device still works at a candidate and may never end: nothing else can be tried on it.
struct CandidateHangs : DeviceError {
  using DeviceError::DeviceError;
};

}  // namespace

std::string first_line(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

std::string Trial::too_slow(const Candidate& candidate, double best_seconds) {
  if (candidate.least_seconds <= best_seconds) return "";
  return "cannot take less than " + readable(candidate.least_seconds) + ", the best takes " + readable(best_seconds);
}

std::string Trial::objection(const core::DeviceInfo& device, const TuneOptions& options, const Candidate& candidate,
                             const core::KernelAttributes& attributes) {
  const bool says_spills = device.backend == core::Backend::cuda;
  if (says_spills && attributes.local_bytes > options.spill_bytes) {
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
  if (shared > device.shared_memory_bytes) {
    return "takes " + std::to_string(shared) + " bytes of shared memory, a group may have " +
           std::to_string(device.shared_memory_bytes);
  }
  return "";
}

void Trial::run(const Candidate& candidate, const core::Module& module, const std::string& operation) const {
  if (!operation.empty()) {
    candidate.operations.at(operation)(module, stream_);
  } else if (candidate.run) {
    candidate.run(module, stream_);
  } else {
    module.kernel(candidate.kernel).launch(stream_, candidate.shape, candidate.arguments);
  }
}

bool Trial::ends_within(const core::Event& event, double seconds) {
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

std::string Trial::wait_for(const core::Event& event) const {
  if (ends_within(event, options_.candidate_seconds)) return "";
  if (ends_within(event, options_.hang_seconds)) return "takes longer than " + readable(options_.candidate_seconds);
  device_.abandon();  // else the handles that die on the way out of here would wait for it
  throw CandidateHangs("tuning '" + problem_.question + "': a candidate still runs after " +
                       readable(options_.candidate_seconds + options_.hang_seconds) +
                       " and blocks the device; end this program and start again, it is then left out");
}

std::string Trial::guarded(const std::function<std::string()>& attempt) const {
  try {
    return attempt();
  } catch (const OutOfDeviceMemory& error) {
    return first_line(error);
  } catch (const CandidateHangs&) {
    throw;
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
}

std::string Trial::verify(const Candidate& candidate, const core::Module& module) const {
  return guarded([&] {
    if (problem_.prepare) problem_.prepare(stream_);
    stream_.synchronize();
    if (candidate.rehearsal) {
      candidate.rehearsal(module, stream_);
    } else {
      run(candidate, module);
    }
    if (std::string late = wait_for(stream_.record()); !late.empty()) return late;
    const std::string wrong = problem_.verify(stream_);
    return wrong.empty() ? "" : "wrong result: " + wrong;
  });
}

std::string Trial::time(const Candidate& candidate, const core::Module& module, const TimedRun& timed,
                        double& seconds) const {
  return guarded([&]() -> std::string {
    if (candidate.make_ready) candidate.make_ready(module, stream_);
    stream_.synchronize();
    const auto look = [&]() -> std::string {
      const auto& clock = options_.measure.clock;
      const double before = clock ? clock() : 0;
      const core::Event begin = stream_.record();
      run(candidate, module, timed.operation);
      const core::Event end = stream_.record();
      if (std::string late = wait_for(end); !late.empty()) return late;
      seconds = clock ? clock() - before : core::Event::seconds_between(begin, end);
      return "";
    };
    const auto is_slow = [&] { return seconds > options_.slow_factor * timed.best_seconds; };
    std::string late = look();
    // The first run may be slow because of what a driver does only then, such as compiling for this size.
    if (late.empty() && is_slow()) late = look();
    if (!late.empty() || is_slow()) return late;
    MeasureOptions measure_options = options_.measure;
    constexpr double long_run = 0.1;
    if (seconds > long_run) {
      measure_options.warm_up = 0;
      measure_options.repeats = std::min(measure_options.repeats, 2);
    }
    if (timed.sustained_seconds > 0) {
      measure_options.warm_up_seconds = timed.sustained_seconds;
      measure_options.seconds_per_repeat = std::max(measure_options.seconds_per_repeat, 0.02);
    }
    const Timing timing = measure(
        stream_, [&] { run(candidate, module, timed.operation); }, measure_options);
    seconds = timed.sustained_seconds > 0 ? timing.median : timing.best;
    return "";
  });
}

}  // namespace maxwell_dg::rtcg
