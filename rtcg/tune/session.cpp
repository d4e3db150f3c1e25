#include "rtcg/tune/session.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/file_lock.hpp"
#include "core/log.hpp"
#include "core/own_file.hpp"

namespace maxwell_dg::rtcg {

namespace fs = std::filesystem;

Session::Session(Compiler& compiler, const Wisdom& wisdom, const TuningProblem& problem, const TuneOptions& options)
    : compiler_(compiler),
      wisdom_(wisdom),
      problem_(problem),
      options_(options),
      stream_(problem.stream.value_or(compiler.device().create_stream())),
      trial_(compiler.device(), stream_, problem, options),
      batch_size_(std::clamp(2 * std::thread::hardware_concurrency(), 4u, 32u)) {
  if (!problem.candidate || !problem.verify) {
    throw std::invalid_argument("tuning '" + problem.question + "': it takes a generator and a way to verify");
  }
  asked_ = question_of(problem, compiler.device());
}

std::optional<TuningResult> Session::find(Match least, Refused refused) const {
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

CandidateReport Session::tried(const Configuration& configuration, Until until, std::string* source,
                               TryJournal* journal) const {
  CandidateReport report{.configuration = configuration};
  report.rejection = rejection_of([&] {
    const Candidate candidate = problem_.candidate(configuration);
    if (!candidate.refusal.empty()) return candidate.refusal;
    if (source != nullptr) *source = digest_of(candidate.source);
    core::Module module;
    if (!candidate.source.text.empty()) module = compiler_.compile(candidate.source);
    std::optional<TimedRun> timed;
    if (until != Until::verified) {
      timed = TimedRun{.sustained_seconds = until == Until::sustained ? options_.sustained_seconds : 0};
    }
    return on_device(candidate, module, timed, report, journal);
  });
  return report;
}

TuningResult Session::run() {
  if (auto answer = taken_from_wisdom(Refused::untold)) return *answer;
  std::error_code error;
  fs::create_directories(wisdom_.directory(), error);
  const std::string name = digest_of_question(asked_).substr(0, 16);
  // Who asks the same at the same time waits here, and then finds the answer. Without a lock both look for it.
  const fs::path lock_file = wisdom_.directory() / (".question-" + name + ".lock");
  make_way_for_own_file(lock_file);
  const auto lock = FileLock::acquire(lock_file, 2 * options_.seconds + 60);
  if (auto answer = taken_from_wisdom(Refused::told)) return *answer;
  if (!lock) {
    log_warning("tuning '" + problem_.question + "': " + lock_file.string() +
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

std::string Session::digest_of(const KernelSource& source) {
  Sha256 digest;
  digest.add_field(source.text);
  for (const auto& [name, text] : source.headers) digest.add_field(name + "\n" + text);
  for (const std::string& option : source.options) digest.add_field(option);
  return digest.hex();
}

std::vector<KnownAnswer> Session::known() const {
  return known_answers(problem_, asked_, wisdom_, compiler_.device().info());
}

std::optional<TuningResult> Session::taken_from_wisdom(Refused refused) const {
  if (options_.anew) return std::nullopt;
  // Another device's answer is never taken without tuning.
  return find(std::max(options_.accept, Match::shipped), refused);
}

// What `attempt` finds: "" or a reason. That a candidate cannot be made is one, too.
std::string Session::rejection_of(const std::function<std::string()>& attempt) {
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

// Verifies a candidate and times it, if that is asked for: "" or why it is rejected. The journal, if there is one, says
// meanwhile which it is.
std::string Session::on_device(const Candidate& candidate, const core::Module& module,
                               const std::optional<TimedRun>& timed, CandidateReport& report,
                               TryJournal* journal) const {
  if (journal != nullptr) journal->begin(report.configuration);
  try {
    std::string rejection = trial_.verify(candidate, module);
    if (rejection.empty() && timed) rejection = trial_.time(candidate, module, *timed, report.seconds);
    if (journal != nullptr) journal->end();
    return rejection;
  } catch (const DeviceError&) {
    if (journal != nullptr) journal->blame();
    throw;
  }
}

// How many may run for long, in no more than a quarter of the time, the first of them twice; 0 where there is no
// choice among them.
std::size_t Session::most_finalists() const {
  if (!(options_.sustained_seconds > 0)) return 0;
  const double fit = std::max(1.0, std::min(options_.seconds / 4 / options_.sustained_seconds, 1e6));
  const std::size_t most = std::min(options_.finalists, static_cast<std::size_t>(fit) - 1);
  return most < 2 ? 0 : most;
}

void Session::decide_by_sustained_runs(TryJournal& journal) {
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
                " candidates fail in longer runs, the next best is taken, " + written(report->configuration) + reasons);
  }
  if (!best_) fail(reasons);
}

// The seconds of a candidate that has worked before, which may be the best; none if it is rejected now.
std::optional<double> Session::run_again(CandidateReport& report, Until until, TryJournal& journal) {
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

void Session::take_as_best(const Configuration& configuration, double seconds, const std::string& source) {
  best_ = true;
  result_.seconds = seconds;
  result_.best = configuration;
  asked_.source = source;
}

std::string Session::reason_of(const CandidateReport& report) {
  return "; " + written(report.configuration) + ": " + report.rejection;
}

void Session::fail(const std::string& reasons) const {
  throw DeviceError("tuning '" + problem_.question + "': none of " + std::to_string(result_.table.size()) +
                    " candidates works on '" + asked_.device + "'" + reasons);
}

void Session::keep() {
  asked_.configuration = result_.best;
  asked_.seconds = result_.seconds;
  asked_.candidates = count_tried();
  try {
    wisdom_.store(asked_);
  } catch (const OutputError& error) {
    log_warning(std::string("what tuning found is not kept: ") + error.what());
  }
}

}  // namespace maxwell_dg::rtcg
