#include "rtcg/tune/tuner.hpp"

#include <utility>

#include "rtcg/tune/known_answers.hpp"
#include "rtcg/tune/session.hpp"

namespace maxwell_dg::rtcg {

std::vector<const SearchSpace*> TuningProblem::spaces() const {
  std::vector<const SearchSpace*> all{&space};
  for (const SearchSpace& other : other_spaces) all.push_back(&other);
  return all;
}

Tuner::Tuner(Compiler compiler, std::filesystem::path wisdom_directory)
    : compiler_(std::move(compiler)),
      wisdom_(wisdom_directory.empty() ? default_wisdom_directory() : std::move(wisdom_directory)) {}

TuningResult Tuner::tune(const TuningProblem& problem, const TuneOptions& options) {
  return Session(compiler_, wisdom_, problem, options).run();
}

std::optional<TuningResult> Tuner::find(const TuningProblem& problem, const TuneOptions& options) {
  return Session(compiler_, wisdom_, problem, options).find(options.accept);
}

std::optional<TuningResult> Tuner::known(const TuningProblem& problem, Match accept) const {
  const core::Device& device = compiler_.device();
  const std::vector<KnownAnswer> answers = known_answers(problem, question_of(problem, device), wisdom_, device.info());
  if (answers.empty() || answers.front().match < accept) return std::nullopt;
  const auto& [entry, match] = answers.front();
  return TuningResult{
      .best = entry.configuration, .seconds = entry.seconds, .match = match, .known_device = entry.device};
}

std::string Tuner::objection(const TuningProblem& problem, const Configuration& configuration,
                             const TuneOptions& options) {
  return Session(compiler_, wisdom_, problem, options).tried(configuration, Session::Until::verified).rejection;
}

CandidateReport Tuner::attempt(const TuningProblem& problem, const Configuration& configuration,
                               const TuneOptions& options) {
  return Session(compiler_, wisdom_, problem, options).tried(configuration, Session::Until::timed);
}

}  // namespace maxwell_dg::rtcg
