#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/operator/device_problem.hpp"
#include "dg/partition/restricted.hpp"
#include "dg/tuning/verification.hpp"
#include "dg/variants/variants.hpp"
#include "rtcg/tune/ceilings.hpp"
#include "rtcg/tune/tuner.hpp"

namespace maxwell_dg::dg {

/// A schedule, and where it comes from in words: "tuned on this device before".
struct Variant {
  Schedule schedule;
  std::string origin;
};

/// Finds the schedule with which a device computes a stage of a problem fastest.
///
/// Outer choices are the layouts of the state, inner ones the sizes within each (`variant_spaces`), tuned kernel by
/// kernel where a stage has several; what counts is the time of one whole stage of this very problem. Candidates are
/// verified on a small problem of the same equations before they are timed. What is found is kept in wisdom, for every
/// mesh on this device.
///
/// Of a part of a mesh its own elements count; only where they are timed they are copied, without the ghosts.
class StageTuner {
 public:
  struct Options {
    Dtype precision = Dtype::float64;
    bool powers = false;                       ///< whether stages will also integrate powers (Operator::Options)
    std::filesystem::path wisdom_directory{};  ///< empty: the user's
    std::vector<Schedule> only{};              ///< where there are any: these, in place of all that there are
    std::string slicing{};                     ///< where it is given: only spaces of this one ("nodes")
    std::vector<Schedule> first{};             ///< tried before others, where they fit
    std::optional<rtcg::Ceilings> ceilings{};  ///< of the device: to leave out what cannot be fast enough
  };
  StageTuner(rtcg::Compiler compiler, std::shared_ptr<const Discretization> discretization, Problem problem,
             Options options);
  StageTuner(const StageTuner&) = delete;
  StageTuner& operator=(const StageTuner&) = delete;

  /// What to run with, for so many stages. The first of these that is verified: what was found on this device before;
  /// what ships for it; where tuning is worth its time (see `worth`), the best of all; the default. Throws DeviceError
  /// where none is right. An answer of another device or driver counts as known where nothing else is.
  [[nodiscard]] Variant choose(double stages, const rtcg::TuneOptions& options);
  /// What `choose` takes if it is right, found without running anything.
  struct Expectation {
    Variant variant;
    bool may_be_tuned{};  ///< `choose` may look for a faster one first
  };
  [[nodiscard]] Expectation expect(double stages, const rtcg::TuneOptions& options);
  /// Tuning pays where computing takes so many times as long as it may take.
  static constexpr double worth = 5;

  /// Tries them all, as far as the time goes. Throws DeviceError when none works, or when one blocks the device.
  /// What `options` allow a candidate is raised to what stages need: 1024 bytes of spills, time for a stage of a large
  /// mesh, and on a GPU a second of sustained work for the finalists.
  [[nodiscard]] rtcg::TuningResult tune(const rtcg::TuneOptions& options);

  /// The question as the general tuner takes it. Refers to this object.
  /// Throws std::invalid_argument where the device has no variants of the slicing that is asked for.
  [[nodiscard]] rtcg::TuningProblem problem();
  [[nodiscard]] const Problem& stage_problem() const { return problem_; }
  [[nodiscard]] const Discretization& discretization() const { return *discretization_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const core::DeviceInfo& device() const { return compiler_.device().info(); }

 private:
  /// What a candidate is made for: to be looked at on the small problem, or to be timed on the real one as well.
  enum class Purpose { verified, timed };
  [[nodiscard]] rtcg::TuningProblem problem_for(Purpose purpose);
  /// Whether tuning may pay: on the slowest device it would.
  [[nodiscard]] bool may_pay(double stages, const rtcg::TuneOptions& options) const {
    return stages * slowest_stage() > worth * options.seconds;
  }
  [[nodiscard]] StagesOfProblem stages() const;
  [[nodiscard]] std::string default_origin() const;
  /// Seconds that a stage takes at most, on any device.
  [[nodiscard]] double slowest_stage() const;
  [[nodiscard]] rtcg::TuneOptions adapted_to_stages(rtcg::TuneOptions options) const;
  [[nodiscard]] rtcg::Candidate candidate(const rtcg::Configuration& configuration, Purpose purpose);
  /// The small problem for a schedule. One whose kernels are to run, not to be timed, has the terms that its stages
  /// compute: what is verified is then what runs, and is compiled once.
  [[nodiscard]] const Verification& verification(const Schedule& schedule, Purpose purpose);
  [[nodiscard]] DeviceProblem& small(const Schedule& schedule, const Verification& verification);
  [[nodiscard]] DeviceProblem& real(const Schedule& schedule);
  [[nodiscard]] std::string verify() const;

  rtcg::Compiler compiler_;
  std::shared_ptr<const Discretization> discretization_;
  Problem problem_;
  Options options_;
  LoweredSystem lowered_;
  std::optional<OwnElements> alone_;                        ///< of a part with ghosts, once it is to be timed
  std::unique_ptr<const Verification> plain_, with_terms_;  ///< made where they are first needed
  double dt_;                                               ///< so small that repeated stages change little
  core::Stream stream_;
  std::unique_ptr<DeviceProblem> small_, real_;  ///< laid out for the candidates of the moment
  const Verification* of_small_ = nullptr;       ///< whose problem `small_` is
  core::Buffer result_;                          ///< the state that the last rehearsal left
};

}  // namespace maxwell_dg::dg
