#pragma once

#include <functional>
#include <limits>
#include <string>

#include "rtcg/tune/tuner.hpp"

namespace maxwell_dg::rtcg {

/// What is timed of a candidate, and how.
struct TimedRun {
  std::string operation{};  ///< this one of Candidate::operations alone; "": all of it
  /// What is far slower than this is looked at no more than twice.
  double best_seconds = std::numeric_limits<double>::infinity();
  double sustained_seconds = 0;  ///< for how long it runs before
};

/// One candidate on trial: limits, verification, timing.
class Trial {
 public:
  Trial(const core::Device& device, const core::Stream& stream, const TuningProblem& problem,
        const TuneOptions& options)
      : device_(device), stream_(stream), problem_(problem), options_(options) {}

  /// What is known before it is compiled: the lower bound. "" where nothing speaks against it, as in all of these.
  [[nodiscard]] static std::string too_slow(const Candidate& candidate, double best_seconds);
  /// What is known before a launch: resources.
  [[nodiscard]] static std::string objection(const core::DeviceInfo& device, const TuneOptions& options,
                                             const Candidate& candidate, const core::KernelAttributes& attributes);
  /// One run (the rehearsal, if it has one) from the prepared state: "", or why it is rejected. Throws DeviceError
  /// where the device is lost by it.
  [[nodiscard]] std::string verify(const Candidate& candidate, const core::Module& module) const;
  /// Sets `seconds` of a run, the best of several; of one alone when it is far slower than the best. With
  /// `sustained_seconds` the median. Returns "", or why it is rejected. Throws as `verify`.
  [[nodiscard]] std::string time(const Candidate& candidate, const core::Module& module, const TimedRun& timed,
                                 double& seconds) const;

 private:
  void run(const Candidate& candidate, const core::Module& module, const std::string& operation = {}) const;
  [[nodiscard]] static bool ends_within(const core::Event& event, double seconds);
  /// Waits for it no longer than for a candidate: "", or that it took longer. Throws DeviceError where it blocks.
  [[nodiscard]] std::string wait_for(const core::Event& event) const;
  /// What `attempt` returns, or what a DeviceError in it says. Throws DeviceError where the device is lost by it.
  [[nodiscard]] std::string guarded(const std::function<std::string()>& attempt) const;

  const core::Device& device_;
  const core::Stream& stream_;
  const TuningProblem& problem_;
  const TuneOptions& options_;
};

/// The first line of what an exception says.
[[nodiscard]] std::string first_line(const std::exception& error);

}  // namespace maxwell_dg::rtcg
