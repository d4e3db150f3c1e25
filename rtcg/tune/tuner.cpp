#include "rtcg/tune/tuner.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/file_lock.hpp"
#include "core/log.hpp"
#include "rtcg/tune/known_answers.hpp"
#include "rtcg/tune/trial.hpp"
#include "rtcg/tune/try_journal.hpp"

namespace maxwell_dg::rtcg {

namespace fs = std::filesystem;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

std::string digest_of(const KernelSource& source) {
  Sha256 digest;
  digest.add_field(source.text);
  for (const auto& [name, text] : source.headers) digest.add_field(name + "\n" + text);
  for (const std::string& option : source.options) digest.add_field(option);
  return digest.hex();
}

/// One question being answered.
class Session {
 public:
  Session(Compiler& compiler, const Wisdom& wisdom, const TuningProblem& problem, const TuneOptions& options)
      : compiler_(compiler),
        wisdom_(wisdom),
        problem_(problem),
        options_(options),
        stream_(problem.stream.value_or(compiler.device().create_stream())),
        trial_(compiler.device(), stream_, problem, options) {
    if (!problem.candidate || !problem.verify) {
      throw std::invalid_argument("tuning '" + problem.question + "': it takes a generator and a way to verify");
    }
    asked_ = question_of(problem, compiler.device());
  }

  enum class Refused { told, untold };
  /// The best answer known of at least `least` that still works. Those that would be better and do not are told.
  [[nodiscard]] std::optional<TuningResult> find(Match least, Refused refused = Refused::told) const {
    for (const auto& [entry, match] : known()) {
      if (match < least) break;
      std::string source;
      const std::string rejection = tried(entry.configuration, Until::verified, &source).rejection;
      // The same sizes, but another text: a number of the problem's stands in it.
      const bool is_other_text = !source.empty() && source != entry.source;
      const Match found = match == Match::exact && is_other_text ? Match::other_shape : match;
      if (found < least) continue;
      if (!rejection.empty()) {
        if (refused == Refused::told) {
          log_warning("tuning '" + problem_.question + "': on '" + asked_.device + "' the answer found earlier on '" +
                      entry.device + "' is not taken; " + written(entry.configuration) + ": " + rejection);
        }
        continue;
      }
      return TuningResult{
          .best = entry.configuration, .seconds = entry.seconds, .match = found, .known_device = entry.device};
    }
    return std::nullopt;
  }

  enum class Until { verified, timed, sustained };
  /// One configuration by itself. Sets the digest of its text, and writes to the journal, where that is asked for.
  [[nodiscard]] CandidateReport tried(const Configuration& configuration, Until until, std::string* source = nullptr,
                                      TryJournal* journal = nullptr) const {
    CandidateReport report{.configuration = configuration};
    report.rejection = rejection_of([&] {
      const Candidate candidate = problem_.candidate(configuration);
      if (!candidate.refusal.empty()) return candidate.refusal;
      if (source != nullptr) *source = digest_of(candidate.source);
      core::Module module;
      if (!candidate.source.text.empty()) module = compiler_.compile(candidate.source);
      return on_device(candidate, module, configuration, until, never, report.seconds, journal);
    });
    return report;
  }

  TuningResult run() {
    if (auto answer = taken_from_wisdom(Refused::untold)) return *answer;
    std::error_code error;
    fs::create_directories(wisdom_.directory(), error);
    const std::string name = digest_of_question(asked_).substr(0, 16);
    // Who asks the same at the same time waits here, and then finds the answer. Without a lock both look for it.
    const fs::path lock_file = wisdom_.directory() / (".question-" + name + ".lock");
    const auto lock = FileLock::acquire(lock_file, 2 * options_.seconds + 60);
    if (auto answer = taken_from_wisdom(Refused::told)) return *answer;
    if (!lock) {
      log_warning(
          "tuning '" + problem_.question + "': " + lock_file.string() +
          " cannot be locked (another process has it, it cannot be written, or the file system has no locks); " +
          "a candidate that ends this process will not be remembered");
    }
    // What is begun there and has not ended may be what a process that has the lock tries at this moment.
    TryJournal journal(lock ? wisdom_.directory() / (".trying-" + name) : fs::path());
    search(journal);
    decide_by_sustained_runs(journal);
    if (!best_) fail(result_.table.empty() ? "" : reason_of(result_.table.front()));
    if (options_.keep) keep();
    journal.close();
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] double elapsed() const {
    const std::chrono::duration<double> taken = Clock::now() - begin_;
    return taken.count();
  }

  [[nodiscard]] std::vector<KnownAnswer> known() const {
    return known_answers(problem_, asked_, wisdom_, compiler_.device().info());
  }

  [[nodiscard]] std::optional<TuningResult> taken_from_wisdom(Refused refused) const {
    if (options_.anew) return std::nullopt;
    // Another device's answer is never taken without tuning.
    return find(std::max(options_.accept, Match::shipped), refused);
  }

  /// The search of one space, and how it goes.
  struct Walk {
    Search search;
    double best = never;
    std::size_t tried = 0, best_at = 0;
    bool is_exhausted = false;
  };

  // What is proposed, whichever space it is of, and the neighbours of the best if an earlier answer was among it; a
  // look at each space; then on in the most promising one. At last what may end this process as it did an earlier one.
  void search(TryJournal& journal) {
    result_.tuned = true;
    std::vector<Walk> walks;
    for (const SearchSpace* space : problem_.spaces()) {
      walks.push_back({.search = Search(options_.search, space->points(), options_.seed)});
      result_.space_size += walks.back().search.points().size();
    }
    for (const Configuration& fatal : journal.fatal()) {
      const auto take = [&](Walk& walk) { return walk.search.take(fatal).has_value(); };
      if (std::ranges::none_of(walks, take)) continue;
      result_.table.push_back({.configuration = fatal, .rejection = "an earlier process ended while it ran"});
    }
    std::vector<std::pair<Walk*, std::size_t>> suspected;
    for (const Configuration& configuration : journal.suspected()) {
      for (Walk& walk : walks) {
        if (const auto point = walk.search.take(configuration)) suspected.emplace_back(&walk, *point);
      }
    }
    const std::size_t batch_size = std::clamp(2 * std::thread::hardware_concurrency(), 4u, 32u);
    const std::vector<Configuration> proposed = proposals();
    for (Walk& walk : walks) step(walk, proposed, 0, journal);
    if (Walk* known = result_.match == Match::none ? nullptr : most_promising(walks)) {
      known->search.begin_at_best();
      step(*known, {}, batch_size, journal);
    }
    for (Walk& walk : walks) {
      if (is_over() && (best_ || &walk != &walks.front())) break;
      step(walk, {}, walks.size() == 1 ? batch_size : batch_size / 2, journal);
    }
    while (Walk* walk = most_promising(walks)) step(*walk, {}, batch_size, journal);
    for (const auto& [walk, point] : suspected) try_batch({point}, walk->search, journal);
  }

  /// How many may run for long, in no more than a quarter of the time, the first of them twice; 0 where there is no
  /// choice among them.
  [[nodiscard]] std::size_t most_finalists() const {
    if (!(options_.sustained_seconds > 0)) return 0;
    const double fit = std::max(1.0, std::min(options_.seconds / 4 / options_.sustained_seconds, 1e6));
    const std::size_t most = std::min(options_.finalists, static_cast<std::size_t>(fit) - 1);
    return most < 2 ? 0 : most;
  }

  [[nodiscard]] bool is_over() const {
    const std::size_t finalists = most_finalists();
    const double of_finalists = finalists == 0 ? 0 : static_cast<double>(finalists + 1) * options_.sustained_seconds;
    // Not another batch that would end too late, if it took as long as the last one.
    return elapsed() + last_batch_seconds_ > options_.seconds - of_finalists ||
           result_.table.size() >= options_.most_candidates;
  }

  /// Nothing when all is tried, the time is over, or nothing better is found any more.
  [[nodiscard]] Walk* most_promising(std::vector<Walk>& walks) const {
    if (is_over()) return nullptr;
    const bool is_patient = options_.search == SearchKind::exhaustive || options_.search == SearchKind::random;
    const auto goes_on = [&](const Walk& walk) {
      const bool is_stuck = walk.best < never && walk.tried - walk.best_at >= options_.patience;
      const bool is_far = best_ && walk.best > options_.slow_factor * result_.seconds;
      return !walk.is_exhausted && (is_patient || !(is_stuck || is_far));
    };
    Walk* best = nullptr;
    for (Walk& walk : walks) {
      if (goes_on(walk) && (best == nullptr || walk.best < best->best)) best = &walk;
    }
    return best;
  }

  [[nodiscard]] std::vector<Configuration> proposals() {
    std::vector<Configuration> proposed;
    for (const auto& [entry, match] : known()) {
      if (match > result_.match) {
        result_.match = match;
        result_.known_device = entry.device;
      }
      proposed.push_back(entry.configuration);
    }
    std::ranges::copy(problem_.first, std::back_inserter(proposed));
    return proposed;
  }

  /// Tries what is proposed in this space, and more, up to `count`.
  void step(Walk& walk, const std::vector<Configuration>& proposed, std::size_t count, TryJournal& journal) {
    const std::size_t begin = result_.table.size();
    const std::size_t room = options_.most_candidates - std::min(begin, options_.most_candidates - 1);
    std::vector<std::size_t> batch;
    for (const Configuration& configuration : proposed) {
      if (batch.size() == room) break;
      if (const auto point = walk.search.take(configuration)) batch.push_back(*point);
    }
    count = std::min(count, room);
    if (batch.size() < count) std::ranges::copy(walk.search.next(count - batch.size()), std::back_inserter(batch));
    walk.is_exhausted = batch.empty() && count > 0;
    const double begin_of_batch = elapsed();
    try_batch(batch, walk.search, journal);
    last_batch_seconds_ = elapsed() - begin_of_batch;
    for (std::size_t i = begin; i < result_.table.size(); ++i) {
      const CandidateReport& report = result_.table[i];
      ++walk.tried;
      if (!report.rejection.empty() || report.seconds >= walk.best) continue;
      walk.best = report.seconds;
      walk.best_at = walk.tried;
    }
  }

  // Generating and compiling on all cores, then one after the other on the device.
  void try_batch(const std::vector<std::size_t>& batch, Search& search, TryJournal& journal) {
    std::vector<Candidate> candidates(batch.size());
    std::vector<std::string> rejections(batch.size());
    std::vector<KernelSource> sources;
    std::vector<std::size_t> compiled;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      rejections[i] = rejection_of([&] {
        candidates[i] = problem_.candidate(search.points()[batch[i]]);
        return candidates[i].refusal.empty() ? Trial::too_slow(candidates[i], best_seconds()) : candidates[i].refusal;
      });
      if (!rejections[i].empty() || candidates[i].source.text.empty()) continue;
      sources.push_back(candidates[i].source);
      compiled.push_back(i);
    }
    std::vector<core::Module> modules(batch.size());
    std::vector<CompileOutcome> outcomes = compiler_.compile_each(sources);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      modules[compiled[i]] = outcomes[i].module;
      if (outcomes[i].failure) rejections[compiled[i]] = reason_of(outcomes[i].failure);
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      CandidateReport report{.configuration = search.points()[batch[i]], .rejection = rejections[i]};
      if (report.rejection.empty()) try_one(candidates[i], modules[i], report, journal);
      search.report(batch[i], report.rejection.empty() ? report.seconds : never);
      modules[i] = {};
      result_.table.push_back(std::move(report));
    }
  }

  /// What `attempt` finds: "" or a reason. That a candidate cannot be made is one, too.
  template <class F>
  static std::string rejection_of(F attempt) {
    try {
      return attempt();
    } catch (const OutOfDeviceMemory& error) {
      return first_line(error);
    } catch (const CompileError& error) {
      return first_line(error);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  }

  /// Verifies a candidate and times it, if that is asked for: "" or why it is rejected. The journal, if there is one,
  /// says meanwhile which it is.
  [[nodiscard]] std::string on_device(const Candidate& candidate, const core::Module& module,
                                      const Configuration& configuration, Until until, double best, double& seconds,
                                      TryJournal* journal) const {
    if (journal != nullptr) journal->begin(configuration);
    try {
      std::string rejection = trial_.verify(candidate, module);
      if (rejection.empty() && until != Until::verified) {
        const double sustained = until == Until::sustained ? options_.sustained_seconds : 0;
        rejection = trial_.time(candidate, module, best, seconds, sustained);
      }
      if (journal != nullptr) journal->end();
      return rejection;
    } catch (const DeviceError&) {
      if (journal != nullptr) journal->blame();
      throw;
    }
  }

  static std::string reason_of(const std::exception_ptr& failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const Error& error) {
      return first_line(error);
    }
  }

  void decide_by_sustained_runs(TryJournal& journal) {
    std::vector<CandidateReport*> working;
    for (CandidateReport& report : result_.table) {
      if (report.rejection.empty()) working.push_back(&report);
    }
    std::ranges::stable_sort(working, {}, &CandidateReport::seconds);
    const auto is_near = [&](const CandidateReport* report) {
      return report->seconds <= options_.finalist_factor * result_.seconds;
    };
    const auto near = static_cast<std::size_t>(std::ranges::count_if(working, is_near));
    const std::size_t finalists = std::min(near, most_finalists());
    if (finalists < 2) return;
    // Coming from pauses for compiling, a GPU first goes below the clocks that it then keeps, by 3 to 6 % for a second.
    (void)tried(working.front()->configuration, Until::sustained, nullptr, &journal);
    best_ = false;
    std::string reasons;
    for (CandidateReport* const report : std::span(working).first(finalists)) {
      if (const auto seconds = run_again(*report, Until::sustained, journal)) {
        report->sustained = *seconds;
      } else {
        reasons += reason_of(*report);
      }
    }
    // Where no finalist holds out, the fastest of the others.
    for (CandidateReport* const report : std::span(working).subspan(finalists)) {
      if (best_) break;
      if (!run_again(*report, Until::timed, journal)) continue;
      log_warning("tuning '" + problem_.question + "': the fastest " + std::to_string(finalists) +
                  " candidates fail in longer runs, the next best is taken, " + written(report->configuration) +
                  reasons);
    }
    if (!best_) fail(reasons);
  }

  /// The seconds of a candidate that has worked before, which may be the best; none if it is rejected now.
  std::optional<double> run_again(CandidateReport& report, Until until, TryJournal& journal) {
    std::string source;
    const CandidateReport again = tried(report.configuration, until, &source, &journal);
    report.rejection = again.rejection;
    if (!report.rejection.empty()) {
      report.seconds = 0;
      return std::nullopt;
    }
    if (!best_ || again.seconds < result_.seconds) take_as_best(report.configuration, again.seconds, source);
    return again.seconds;
  }

  void take_as_best(const Configuration& configuration, double seconds, const std::string& source) {
    best_ = true;
    result_.seconds = seconds;
    result_.best = configuration;
    asked_.source = source;
  }

  [[nodiscard]] double best_seconds() const { return best_ ? result_.seconds : never; }

  void try_one(const Candidate& candidate, const core::Module& module, CandidateReport& report, TryJournal& journal) {
    const double best = best_seconds();
    try {
      if (!candidate.kernel.empty()) report.attributes = module.kernel(candidate.kernel).attributes();
    } catch (const DeviceError& error) {
      report.rejection = first_line(error);
      return;
    }
    report.rejection = Trial::too_slow(candidate, best);
    if (report.rejection.empty()) {
      report.rejection = Trial::objection(compiler_.device().info(), options_, candidate, report.attributes);
    }
    if (!report.rejection.empty()) return;
    report.rejection = on_device(candidate, module, report.configuration, Until::timed, best, report.seconds, &journal);
    if (!report.rejection.empty() || report.seconds >= best) return;
    take_as_best(report.configuration, report.seconds, digest_of(candidate.source));
  }

  static std::string reason_of(const CandidateReport& report) {
    return "; " + written(report.configuration) + ": " + report.rejection;
  }

  [[noreturn]] void fail(const std::string& reasons) const {
    throw DeviceError("tuning '" + problem_.question + "': none of " + std::to_string(result_.table.size()) +
                      " candidates works on '" + asked_.device + "'" + reasons);
  }

  void keep() {
    asked_.configuration = result_.best;
    asked_.seconds = result_.seconds;
    asked_.candidates = result_.table.size();
    try {
      wisdom_.store(asked_);
    } catch (const OutputError& error) {
      log_warning(std::string("what tuning found is not kept: ") + error.what());
    }
  }

  Compiler& compiler_;
  const Wisdom& wisdom_;
  const TuningProblem& problem_;
  const TuneOptions& options_;
  core::Stream stream_;
  Trial trial_;
  Clock::time_point begin_ = Clock::now();
  double last_batch_seconds_ = 0;
  WisdomEntry asked_;
  TuningResult result_;
  bool best_ = false;
};

}  // namespace

std::vector<const SearchSpace*> TuningProblem::spaces() const {
  std::vector<const SearchSpace*> all{&space};
  for (const SearchSpace& other : other_spaces) all.push_back(&other);
  return all;
}

Tuner::Tuner(Compiler compiler, fs::path wisdom_directory)
    : compiler_(std::move(compiler)),
      wisdom_(wisdom_directory.empty() ? default_wisdom_directory() : std::move(wisdom_directory)) {}

TuningResult Tuner::tune(const TuningProblem& problem, const TuneOptions& options) {
  return Session(compiler_, wisdom_, problem, options).run();
}

std::optional<TuningResult> Tuner::find(const TuningProblem& problem, const TuneOptions& options) {
  return Session(compiler_, wisdom_, problem, options).find(options.accept);
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
