#include "dg/tuning/stage_tuner.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/operator/stage_terms.hpp"

namespace maxwell_dg::dg {

namespace {

using rtcg::Configuration;
using rtcg::Match;
using rtcg::SearchSpace;

SearchSpace space_of_one(const Configuration& configuration) {
  SearchSpace space;
  for (const auto& [name, value] : configuration) space.add(name, {value});
  return space;
}

std::string origin_of(const rtcg::TuningResult& known, const core::DeviceInfo& device) {
  switch (known.match) {
    case Match::exact:
    case Match::other_shape: return "found on this device before";
    case Match::shipped:
      return "ships for " + (known.known_device == device.name ? device.name : rtcg::device_kind(device));
    default: return "the fastest on " + known.known_device;
  }
}

/// Random numbers all over a state, whatever they stand for: only to compute with.
void fill_at_random(const DeviceProblem& problem) {
  const StageSetting& setting = problem.setting();
  std::mt19937 random(8);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  const std::size_t size = problem.layout().size(), count = std::min(size, piece_values);
  const core::Buffer piece = setting.upload_reals(count, [&](std::size_t) { return value(random); });
  const std::size_t bytes = size_of(setting.precision);
  for (std::size_t first = 0; first < size; first += count) {
    problem.stream().copy(piece, 0, problem.stages().stored_state(), first * bytes,
                          std::min(count, size - first) * bytes);
  }
  problem.stream().synchronize();
}

}  // namespace

StageTuner::StageTuner(rtcg::Compiler compiler, std::shared_ptr<const Discretization> discretization, Problem problem,
                       Options options)
    : compiler_(std::move(compiler)),
      discretization_(std::move(discretization)),
      problem_(std::move(problem)),
      options_(std::move(options)),
      lowered_(lower(problem_.system)),
      stream_(compiler_.device().create_stream()) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < discretization_->own(); ++k)
    least = std::min(least, discretization_->inscribed_radius(k));
  dt_ = 1e-9 * least;
}

Variant StageTuner::choose(double stages, const rtcg::TuneOptions& options) {
  rtcg::Tuner tuner(compiler_, options_.wisdom_directory);
  const rtcg::TuningProblem lookup = problem_for(Purpose::verified);
  rtcg::TuneOptions all_that_is_known = options;
  all_that_is_known.accept = Match::elsewhere;
  Variant chosen;
  const auto take = [&](const Configuration& configuration, const std::string& origin) {
    chosen = {schedule_of(configuration), origin};
  };
  if (const auto known = tuner.find(lookup, all_that_is_known)) {
    take(known->best, origin_of(*known, device()));
    if (known->match >= Match::shipped) return chosen;
  } else {
    take(lookup.first.front(), default_origin());
    const std::string wrong = tuner.objection(lookup, lookup.first.front(), options);
    if (!wrong.empty()) {
      throw DeviceError("kernel variant " + chosen.schedule.name() + " does not work on " + device().name + ": " +
                        wrong + "; look for one that does: maxwell_dg --tune CONFIG");
    }
  }

  if (!may_pay(stages, options)) return chosen;
  const rtcg::CandidateReport trial =
      tuner.attempt(problem(), configuration_of(chosen.schedule), adapted_to_stages(options));
  if (!trial.rejection.empty()) {
    log_warning("kernel variant " + chosen.schedule.name() +
                " could not be timed, so none is looked for: " + trial.rejection);
    return chosen;
  }
  if (!(stages * trial.seconds > worth * options.seconds)) return chosen;
  const rtcg::TuningResult result = tune(options);
  take(result.best, result.tuned ? "found now, the fastest of " + std::to_string(result.table.size()) + " tried"
                                 : origin_of(result, device()));
  return chosen;
}

StageTuner::Expectation StageTuner::expect(double stages, const rtcg::TuneOptions& options) {
  const rtcg::TuningProblem lookup = problem_for(Purpose::verified);
  const auto known = rtcg::Tuner(compiler_, options_.wisdom_directory).known(lookup, Match::elsewhere);
  const Configuration& configuration = known ? known->best : lookup.first.front();
  return {.variant = {schedule_of(configuration), known ? origin_of(*known, device()) : default_origin()},
          .may_be_tuned = !(known && known->match >= Match::shipped) && may_pay(stages, options)};
}

StagesOfProblem StageTuner::stages() const {
  return {.N = discretization_->N(),
          .precision = options_.precision,
          .powers = options_.powers,
          .has_curved = own_curved_count(*discretization_) > 0};
}

std::string StageTuner::default_origin() const {
  const bool is_limited = question_of(lowered_, problem_, stages(), device()).has_curved;
  return is_limited ? "the default of those that can be beside curved elements" : "the default";
}

double StageTuner::slowest_stage() const {
  constexpr double slowest = 1e7;  // degrees of freedom a second that any device reaches
  return static_cast<double>(discretization_->own()) * discretization_->Np() * problem_.system.field_count() / slowest;
}

rtcg::TuneOptions StageTuner::adapted_to_stages(rtcg::TuneOptions options) const {
  options.candidate_seconds = std::max(options.candidate_seconds, slowest_stage());
  // Where a stage hardly fits, the fastest variant spills: at orders 7 to 9 on an H200, 80 to 420 bytes. Time decides.
  options.spill_bytes = std::max<std::size_t>(options.spill_bytes, 1024);
  // What is fastest for a moment may be slower than others in a run: Maxwell's order 5 by 7 to 11 % on an H200.
  if (!device().is_cpu && options.sustained_seconds == 0) options.sustained_seconds = 1;
  return options;
}

rtcg::TuningResult StageTuner::tune(const rtcg::TuneOptions& options) {
  return rtcg::Tuner(compiler_, options_.wisdom_directory).tune(problem(), adapted_to_stages(options));
}

rtcg::TuningProblem StageTuner::problem() {
  return problem_for(Purpose::timed);
}

rtcg::TuningProblem StageTuner::problem_for(Purpose purpose) {
  const VariantQuestion question = question_of(lowered_, problem_, stages(), device());
  std::vector<SearchSpace> spaces;
  for (const Schedule& schedule : options_.only) spaces.push_back(space_of_one(configuration_of(schedule)));
  if (spaces.empty()) spaces = variant_spaces(device(), question, options_.slicing);
  std::vector<Configuration> first{configuration_of(default_schedule(device(), question))};
  for (const Schedule& schedule : options_.first) first.push_back(configuration_of(schedule));
  return {.question = question.text(),
          .shape = {{"elements", static_cast<std::int64_t>(discretization_->own())}},
          .space = spaces.front(),
          .other_spaces = {spaces.begin() + 1, spaces.end()},
          .code = std::string(kernel_texts_digest()) + (device().is_cpu ? "" : " sustained"),
          .candidate = [this, purpose](const Configuration& c) { return candidate(c, purpose); },
          .verify = [this](const core::Stream&) { return verify(); },
          .first = first,
          .stream = stream_,
          .shipped = shipped_wisdom()};
}

rtcg::Candidate StageTuner::candidate(const Configuration& configuration, Purpose purpose) {
  const Schedule schedule = schedule_of(configuration);
  const Verification& expected = verification(schedule, purpose);
  const DeviceProblem& little = small(schedule, expected);
  const std::shared_ptr<StageKernels> rehearsed = little.stages().with(schedule);
  const StageKernels::Launch largest = rehearsed->largest_launch();
  rtcg::Candidate candidate{.source = rehearsed->source(), .kernel = largest.kernel, .shape = largest.shape};
  candidate.rehearsal = [this, &little, &expected, rehearsed](const core::Module& module, const core::Stream&) {
    rehearsed->load(module);
    expected.run(little, *rehearsed);
    result_ = rehearsed->cartesian_state();
  };
  if (purpose == Purpose::verified) return candidate;

  const auto timed = std::make_shared<std::unique_ptr<StageKernels>>();
  candidate.make_ready = [this, timed, schedule](const core::Module& module, const core::Stream&) {
    *timed = real(schedule).stages().with(schedule);
    (*timed)->load(module);
  };
  candidate.run = [this, timed](const core::Module&, const core::Stream&) { (*timed)->advance(-0.5, 0.3, dt_, 0.0); };
  for (const std::string& operation : rehearsed->operations()) {
    candidate.operations[operation] = [this, timed, operation](const core::Module&, const core::Stream&) {
      (*timed)->run(operation, -0.5, 0.3, dt_, 0.0);
    };
  }
  const StateLayout layout(schedule, options_.precision, discretization_->own(), problem_.system.field_count(),
                           discretization_->Np());
  const auto state_bytes = static_cast<double>(layout.size() * size_of(options_.precision));
  constexpr double beyond_caches = 256e6;  // bytes that no GPU's cache holds; one of a CPU may
  const bool from_memory = !device().is_cpu && 3 * state_bytes > beyond_caches;
  if (from_memory && options_.ceilings && options_.ceilings->copy_gb_s > 0) {
    candidate.least_seconds = rehearsed->states_moved() * state_bytes / (1e9 * options_.ceilings->copy_gb_s);
  }
  return candidate;
}

const Verification& StageTuner::verification(const Schedule& schedule, Purpose purpose) {
  std::vector<ElementTerm> terms;
  if (purpose == Purpose::verified && !options_.powers) {
    terms = StageTerms::examples(problem_, *discretization_, schedule);
  }
  std::unique_ptr<const Verification>& made = terms.empty() ? plain_ : with_terms_;
  if (!made) {
    // Kernels of straight elements differ where there are ranges of curved ones beside them.
    const auto shape =
        own_curved_count(*discretization_) > 0 ? ElementRange::Shape::curved : ElementRange::Shape::affine;
    made = std::make_unique<const Verification>(problem_.system, discretization_->N(), &discretization_->mesh, shape,
                                                terms);
  }
  return *made;
}

DeviceProblem& StageTuner::small(const Schedule& schedule, const Verification& verification) {
  if (!small_ || of_small_ != &verification || !small_->setting().has_layout_of(schedule)) {
    small_.reset();
    small_ = std::make_unique<DeviceProblem>(compiler_, stream_, verification.discretization(), verification.problem(),
                                             options_.precision, schedule, discretization_->own(), CurvedVariant{},
                                             verification.has_terms());
    of_small_ = &verification;
  }
  return *small_;
}

DeviceProblem& StageTuner::real(const Schedule& schedule) {
  if (!real_ || !real_->setting().has_layout_of(schedule)) {
    real_.reset();  // before the next takes as much
    if (discretization_->own() < discretization_->K() && !alone_)
      alone_ = own_elements_alone(*discretization_, problem_);
    real_ = std::make_unique<DeviceProblem>(compiler_, stream_, alone_ ? alone_->discretization : discretization_,
                                            alone_ ? alone_->problem : problem_, options_.precision, schedule);
    fill_at_random(*real_);
  }
  return *real_;
}

std::string StageTuner::verify() const {
  std::vector<double> q(small_->dofs());
  small_->read(result_, q);
  return Verification::objection(of_small_->error_of(q), Verification::bound(options_.precision));
}

}  // namespace maxwell_dg::dg
