#pragma once

#include <limits>
#include <string>

#include "rtcg/tune/tuner.hpp"

namespace maxwell_dg::rtcg {

/// One candidate on trial: limits, verification, timing.
class Trial {
 public:
  Trial(const core::Device& device, const core::Stream& stream, const TuningProblem& problem,
        const TuneOptions& options)
      : device_(device), stream_(stream), problem_(problem), options_(options) {}

  /// What is known before a launch: resources and the lower bound. "" where nothing speaks against it.
  [[nodiscard]] std::string objection(const Candidate& candidate, const core::KernelAttributes& attributes,
                                      double best_seconds) const;
  /// One run from the prepared state: "", or why it is rejected. Throws DeviceError where the device is lost by it.
  [[nodiscard]] std::string verify(const Candidate& candidate, const core::Module& module) const;
  /// Seconds of a run, the best of several; of one alone when it is far slower than `best_seconds`.
  [[nodiscard]] double time(const Candidate& candidate, const core::Module& module, double best_seconds) const;

 private:
  void run(const Candidate& candidate, const core::Module& module) const;
  [[nodiscard]] bool ends_within(const core::Event& event, double seconds) const;

  const core::Device& device_;
  const core::Stream& stream_;
  const TuningProblem& problem_;
  const TuneOptions& options_;
};

/// The first line of what an exception says.
[[nodiscard]] std::string first_line(const std::exception& error);

}  // namespace maxwell_dg::rtcg
