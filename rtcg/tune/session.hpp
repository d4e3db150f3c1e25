#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rtcg/tune/known_answers.hpp"
#include "rtcg/tune/search.hpp"
#include "rtcg/tune/trial.hpp"
#include "rtcg/tune/try_journal.hpp"
#include "rtcg/tune/tuner.hpp"

namespace maxwell_dg::rtcg {

/// One question to the tuner being answered.
class Session {
 public:
  Session(Compiler& compiler, const Wisdom& wisdom, const TuningProblem& problem, const TuneOptions& options);

  enum class Refused { told, untold };
  /// The best answer known of at least `least` that still works. Those that would be better and do not are told.
  [[nodiscard]] std::optional<TuningResult> find(Match least, Refused refused = Refused::told) const;

  enum class Until { verified, timed, sustained };
  /// One configuration by itself. Sets the digest of its text, and writes to the journal, where that is asked for.
  [[nodiscard]] CandidateReport tried(const Configuration& configuration, Until until, std::string* source = nullptr,
                                      TryJournal* journal = nullptr) const;

  /// The known answer where there is one, else that of a search, which is kept.
  TuningResult run();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// The search of one space, or of what one operation can be in it, and how it goes.
  struct Walk {
    const SearchSpace* space;
    Search search;
    std::size_t patience;
    OperationReport* operation = nullptr;  ///< which alone is timed
    double best = never;
    Configuration best_configuration{};
    std::size_t tried = 0, best_at = 0;
    bool is_exhausted = false;

    void note(const CandidateReport& report);
  };

  static std::string digest_of(const KernelSource& source);
  [[nodiscard]] double elapsed() const;
  [[nodiscard]] std::vector<KnownAnswer> known() const;
  [[nodiscard]] std::optional<TuningResult> taken_from_wisdom(Refused refused) const;
  [[nodiscard]] std::size_t count_tried() const;
  [[nodiscard]] std::size_t most_finalists() const;
  [[nodiscard]] double search_seconds() const;
  [[nodiscard]] bool is_over(std::size_t later = 0) const;

  void search(TryJournal& journal);
  [[nodiscard]] std::vector<Configuration> proposals();
  [[nodiscard]] bool is_patient() const;
  [[nodiscard]] bool is_far(const Walk& walk) const;
  [[nodiscard]] bool goes_on(const Walk& walk) const;
  [[nodiscard]] Walk* most_promising(std::vector<Walk>& walks) const;
  void step(Walk& walk, const std::vector<Configuration>& proposed, std::size_t count, TryJournal& journal);

  void tune_operations(std::vector<Walk>& walks, TryJournal& journal);
  void tune_operation(const Walk& whole, const SearchSpace::Operation& operation, TryJournal& journal);
  void merge(Walk& walk, std::span<const OperationReport> operations, TryJournal& journal);
  bool becomes_best(Walk& walk, const Configuration& configuration, TryJournal& journal);

  void try_batch(const std::vector<std::size_t>& batch, Walk& walk, TryJournal& journal);
  void try_one(const Candidate& candidate, const core::Module& module, const Walk& walk, CandidateReport& report,
               TryJournal& journal);
  [[nodiscard]] std::string early_objection(const Candidate& candidate, const Walk& walk) const;
  [[nodiscard]] static std::string rejection_of(const std::function<std::string()>& attempt);
  [[nodiscard]] std::string on_device(const Candidate& candidate, const core::Module& module,
                                      const std::optional<TimedRun>& timed, CandidateReport& report,
                                      TryJournal* journal) const;

  void decide_by_sustained_runs(TryJournal& journal);
  std::optional<double> run_again(CandidateReport& report, Until until, TryJournal& journal);
  void take_as_best(const Configuration& configuration, double seconds, const std::string& source);
  [[nodiscard]] double best_seconds() const { return best_ ? result_.seconds : never; }
  static std::string reason_of(const CandidateReport& report);
  [[noreturn]] void fail(const std::string& reasons) const;
  void keep();

  Compiler& compiler_;
  const Wisdom& wisdom_;
  const TuningProblem& problem_;
  const TuneOptions& options_;
  core::Stream stream_;
  Trial trial_;
  Clock::time_point begin_ = Clock::now();
  std::size_t batch_size_;
  double last_batch_seconds_ = 0;
  WisdomEntry asked_;
  TuningResult result_;
  bool best_ = false;
};

}  // namespace maxwell_dg::rtcg
