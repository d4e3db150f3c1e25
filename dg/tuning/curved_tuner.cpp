#include "dg/tuning/curved_tuner.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "dg/codegen/curved/curved_kinds.hpp"
#include "dg/operator/stage_terms.hpp"
#include "dg/variants/variants.hpp"

namespace maxwell_dg::dg {

namespace {

/// Raising it invalidates all earlier answers.
constexpr int version_of_curved = 1;

/// A space of exactly these variants, which all have the same names of choices.
rtcg::SearchSpace space_of(const std::vector<CurvedVariant>& variants) {
  rtcg::SearchSpace space;
  std::vector<std::string> names;
  for (const auto& [name, first] : variants.front()) {
    std::vector<rtcg::Value> values;
    for (const CurvedVariant& variant : variants) {
      if (std::ranges::find(values, variant.at(name)) == values.end()) values.push_back(variant.at(name));
    }
    space.add(name, std::move(values));
    names.push_back(name);
  }
  space.only_if("it is offered", names, [variants](const rtcg::Configuration& chosen) {
    return std::ranges::find(variants, chosen) != variants.end();
  });
  return space;
}

}  // namespace

CurvedTuner::CurvedTuner(rtcg::Compiler compiler, std::shared_ptr<const Discretization> discretization, Problem problem,
                         const Schedule& schedule, Options options)
    : compiler_(std::move(compiler)),
      discretization_(std::move(discretization)),
      problem_(std::move(problem)),
      schedule_(schedule),
      options_(std::move(options)),
      lowered_(lower(problem_.system)),
      // With the terms that stages of straight elements compute: so these are compiled once.
      verification_(
          problem_.system, discretization_->N(), &discretization_->mesh, ElementRange::Shape::curved,
          options_.powers ? std::vector<ElementTerm>() : StageTerms::examples(problem_, *discretization_, schedule)),
      stream_(compiler_.device().create_stream()) {}

std::unique_ptr<DeviceProblem> CurvedTuner::make(const CurvedVariant& variant, bool small) {
  const bool has_ghosts = discretization_->own() < discretization_->K();
  if (!small && has_ghosts && !alone_) alone_ = own_elements_alone(*discretization_, problem_);
  const Problem& real = alone_ ? alone_->problem : problem_;
  const auto& real_elements = alone_ ? alone_->discretization : discretization_;
  auto made =
      std::make_unique<DeviceProblem>(compiler_, stream_, small ? verification_.discretization() : real_elements,
                                      small ? verification_.problem() : real, options_.precision, schedule_,
                                      discretization_->own(), variant, verification_.has_terms());
  made->stages().load(rtcg::Compiler(compiler_).compile(made->stages().source()));
  return made;
}

CurvedProblem CurvedTuner::generated_for() const {
  return {.lowered = lowered_,
          .reference = discretization_->reference,
          .quadrature = discretization_->curved.value().quadrature,
          .options = {.system = problem_.system.name,
                      .N = discretization_->N(),
                      .precision = options_.precision,
                      .schedule = schedule_},
          .media_vary = problem_.varying.any()};
}

rtcg::Candidate CurvedTuner::candidate(const CurvedVariant& variant) {
  const std::unique_ptr<CurvedGenerator> generator = make_curved_generator(generated_for(), variant);
  rtcg::Candidate candidate{.source = generator->stage(),
                            .kernel = "curved_stage",
                            .shape = {.groups = {1, 1, 1}, .group_size = {index(generator->group_items()), 1, 1}}};
  if (compiler_.device().info().backend == core::Backend::cuda) {
    candidate.shape.dynamic_shared_bytes = generator->shared_bytes();
  }
  candidate.rehearsal = [this, variant](const core::Module& /*module*/, const core::Stream& /*stream*/) {
    small_ = make(variant, true);
    verification_.run(*small_, small_->stages());
  };
  candidate.make_ready = [this, variant](const core::Module& /*module*/, const core::Stream& /*stream*/) {
    real_.reset();  // before the next takes as much
    real_ = make(variant, false);
  };
  candidate.run = [this](const core::Module& /*module*/, const core::Stream& /*stream*/) {
    real_->stages().advance(-0.5, 0.3, 0.0, 0.0);
  };
  return candidate;
}

rtcg::TuningProblem CurvedTuner::problem() {
  const std::vector<CurvedVariant> variants = variants_of_default_kind(generated_for(), compiler_.device().info());
  return {.question = "curved stage " + std::to_string(version_of_curved) + " " + problem_.system.name + " N" +
                      std::to_string(discretization_->N()) + " " + std::string(name_of(options_.precision)) +
                      " beside " + schedule_.slicing_name() + (schedule_.in_basis_of_element() ? " in its basis" : ""),
          .shape = {{"elements", static_cast<std::int64_t>(own_curved_count(*discretization_))}},
          .space = space_of(variants),
          .code = std::string(kernel_texts_digest()),
          .candidate = [this](const CurvedVariant& variant) { return candidate(variant); },
          .verify =
              [this](const core::Stream& /*stream*/) {
                std::vector<double> q(small_->dofs());
                small_->read(small_->stages().cartesian_state(), q);
                return Verification::objection(verification_.error_of(q), Verification::bound(options_.precision));
              },
          .first = {variants.front()},
          .stream = stream_};
}

CurvedVariant CurvedTuner::choose() {
  const rtcg::TuningProblem asked = problem();
  rtcg::Tuner tuner(compiler_, options_.wisdom_directory);
  if (const auto known = tuner.find(asked, {.accept = rtcg::Match::other_shape})) return known->best;
  const std::string wrong = tuner.objection(asked, asked.first.front());
  if (!wrong.empty()) {
    throw DeviceError("the kernel variant of curved elements, " + rtcg::written(asked.first.front()) +
                      ", does not work on " + compiler_.device().info().name + ": " + wrong +
                      "; choose another device, or a mesh of straight elements");
  }
  return asked.first.front();
}

rtcg::TuningResult CurvedTuner::tune(const rtcg::TuneOptions& options) {
  return rtcg::Tuner(compiler_, options_.wisdom_directory).tune(problem(), options);
}

}  // namespace maxwell_dg::dg
