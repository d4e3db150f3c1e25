#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/dtype.hpp"
#include "dg/operator/device_problem.hpp"
#include "dg/partition/restricted.hpp"
#include "dg/tuning/verification.hpp"
#include "rtcg/tune/tuner.hpp"

namespace maxwell_dg::dg {

/// Finds the variant with which a device computes the stage of a problem's curved elements fastest, where its straight
/// ones have a schedule. All variants are of the kind that is the default there, so that what is found changes no bit
/// of a result that does not depend on how many rows a matrix has at a time. Each is verified on a small curved problem
/// of the same equations. What is found is kept in wisdom, by a question of its own.
class CurvedTuner {
 public:
  struct Options {
    Dtype precision = Dtype::float64;
    bool powers = false;                       ///< as StageTuner::Options::powers
    std::filesystem::path wisdom_directory{};  ///< empty: the user's
  };
  /// Own elements of the discretization are curved, and the schedule's stage is one kernel. Ghosts are left out.
  CurvedTuner(rtcg::Compiler compiler, std::shared_ptr<const Discretization> discretization, Problem problem,
              const Schedule& schedule, Options options);
  CurvedTuner(const CurvedTuner&) = delete;
  CurvedTuner& operator=(const CurvedTuner&) = delete;

  /// What to run with: what `tune` found on this device before, if it is right, else the default. Throws DeviceError if
  /// that is not right.
  [[nodiscard]] CurvedVariant choose();
  /// Tries them all, as far as the time goes. Throws DeviceError when none works.
  [[nodiscard]] rtcg::TuningResult tune(const rtcg::TuneOptions& options);
  /// The question as the general tuner takes it. Refers to this object.
  [[nodiscard]] rtcg::TuningProblem problem();

 private:
  [[nodiscard]] CurvedProblem generated_for() const;
  [[nodiscard]] rtcg::Candidate candidate(const CurvedVariant& variant);
  [[nodiscard]] std::unique_ptr<DeviceProblem> make(const CurvedVariant& variant, bool small);

  rtcg::Compiler compiler_;
  std::shared_ptr<const Discretization> discretization_;
  Problem problem_;
  Schedule schedule_;
  Options options_;
  LoweredSystem lowered_;
  Verification verification_;
  core::Stream stream_;
  std::optional<OwnElements> alone_;             ///< of a part with ghosts, once it is to be timed
  std::unique_ptr<DeviceProblem> small_, real_;  ///< of the candidate of the moment
};

}  // namespace maxwell_dg::dg
