#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/device/device.hpp"
#include "dg/codegen/fit.hpp"
#include "dg/codegen/fused_generator.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/tune/search_space.hpp"

namespace maxwell_dg::dg {

/// Schedules for a tuner to try, in one layout of the state. Configurations are those of `configuration_of`.
struct CandidateSpace {
  rtcg::SearchSpace space;
  int promise{};  ///< spaces with smaller numbers are tried first
};

/// What a slicing, an alternative of Schedule::slicing, is to the rest of the program: functions that its folder has,
/// registered in dg/variants/slicings.cpp. What there is to choose in it is described in dg/schedule/choices.cpp.
struct Slicing {
  /// Whether its schedules fit a problem. What is returned refers to the problem's lowered system.
  FitRules (*rules)(const StageProblem& problem);
  /// Those that are worth a trial on a device and fit it, with vectors in these bases, the most promising first; none
  /// where the slicing is not for it. Spaces refer to the problem's lowered system.
  std::vector<CandidateSpace> (*candidates)(const StageProblem& problem, const core::DeviceInfo& device,
                                            std::span<const Schedule::Basis> bases);
  /// One that works, where nothing is known of a device; none where other slicings are better there. May be null.
  std::optional<Schedule> (*rule_of_thumb)(const StageProblem& problem, const core::DeviceInfo& device);
  /// The generator of a stage in one kernel; null where a stage is several kernels. Throws std::invalid_argument for a
  /// schedule that does not fit.
  std::unique_ptr<FusedGenerator> (*make_fused)(const LoweredSystem& lowered, FusedGenerator::Options options);
};

/// The schedule that a configuration chooses, of a slicing; what it does not choose is as in `usual`.
[[nodiscard]] Schedule chosen(const rtcg::Configuration& configuration, const Schedule& usual);

/// Whether what a configuration chooses fits, for a space of candidates.
[[nodiscard]] std::function<bool(const rtcg::Configuration&)> fits_on(const core::DeviceInfo& device,
                                                                      const Schedule& usual, FitRules rules);

/// The values of a choice of parts.
[[nodiscard]] std::vector<rtcg::Value> values_of_parts(std::size_t parts);
/// The word for a basis in configurations.
[[nodiscard]] rtcg::Value word_of(Schedule::Basis basis);

}  // namespace maxwell_dg::dg
