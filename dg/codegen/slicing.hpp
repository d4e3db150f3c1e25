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

/// Schedules for a tuner to try, all with one layout of the state. Configurations are those of `configuration_of`.
struct CandidateSpace {
  rtcg::SearchSpace space;
  int rank{};  ///< spaces of lower rank are tried first
};

/// How the kernels of a slicing (an alternative of Schedule::slicing) are made and chosen: what its function kernels_of
/// returns (dg/schedule/slicing_traits.hpp).
struct Slicing {
  /// The rules by which its schedules fit a problem. They refer to the problem's lowered system.
  FitRules (*rules)(const StageProblem& problem);
  /// The schedules that fit a device and are worth a trial there, the most promising first; none if the slicing is not
  /// made for the device. `bases`: those that the state's vectors may have. Spaces refer to the problem's lowered
  /// system.
  std::vector<CandidateSpace> (*candidates)(const StageProblem& problem, const core::DeviceInfo& device,
                                            std::span<const Schedule::Basis> bases);
  /// A schedule that works if there is no measurement for a device; none if other slicings are better there. May be
  /// null.
  std::optional<Schedule> (*rule_of_thumb)(const StageProblem& problem, const core::DeviceInfo& device);
  /// Makes the generator of a stage in one kernel; null if a stage is several kernels. Throws std::invalid_argument for
  /// a schedule that does not fit.
  std::unique_ptr<FusedGenerator> (*make_fused)(const LoweredSystem& lowered, FusedGenerator::Options options);
};

/// The schedule of a configuration that may lack choices; these are taken from `usual`.
[[nodiscard]] Schedule chosen(const rtcg::Configuration& configuration, const Schedule& usual);

/// A predicate for a space of candidates: whether the schedule of a configuration fits.
[[nodiscard]] std::function<bool(const rtcg::Configuration&)> fits_on(const core::DeviceInfo& device,
                                                                      const Schedule& usual, FitRules rules);

/// The values of a choice of Schedule::Parts, for equations with this number of parts.
[[nodiscard]] std::vector<rtcg::Value> values_of_parts(std::size_t parts);
/// The word of configurations for a basis.
[[nodiscard]] rtcg::Value word_of(Schedule::Basis basis);

}  // namespace maxwell_dg::dg
