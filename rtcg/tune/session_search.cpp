#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "core/error.hpp"
#include "rtcg/tune/session.hpp"

namespace maxwell_dg::rtcg {

namespace {

std::string reason_of_failure(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return first_line(error);
  }
}

}  // namespace

void Session::Walk::note(const CandidateReport& report) {
  ++tried;
  if (!report.rejection.empty() || report.seconds >= best) return;
  best = report.seconds;
  best_at = tried;
  best_configuration = report.configuration;
}

// What is proposed, whichever space it is of, and the neighbours of the best if an earlier answer was among it; a look
// at each space; the operations of those that are promising; then on in the most promising one. At last what may end
// this process as it did an earlier one.
void Session::search(TryJournal& journal) {
  result_.tuned = true;
  std::vector<Walk> walks;
  for (const SearchSpace* space : problem_.spaces()) {
    walks.push_back({.space = space,
                     .search = Search(options_.search, space->points(), options_.seed),
                     .patience = options_.patience});
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
  const std::vector<Configuration> proposed = proposals();
  for (Walk& walk : walks) step(walk, proposed, 0, journal);
  if (Walk* known = result_.match == Match::none ? nullptr : most_promising(walks)) {
    known->search.begin_at_best();
    step(*known, {}, batch_size_, journal);
  }
  for (Walk& walk : walks) {
    if (is_over() && (best_ || &walk != &walks.front())) break;
    step(walk, {}, walks.size() == 1 ? batch_size_ : batch_size_ / 2, journal);
  }
  tune_operations(walks, journal);
  while (Walk* walk = most_promising(walks)) step(*walk, {}, batch_size_, journal);
  for (const auto& [walk, point] : suspected) try_batch({point}, *walk, journal);
}

double Session::elapsed() const {
  const std::chrono::duration<double> taken = Clock::now() - begin_;
  return taken.count();
}

std::size_t Session::count_tried() const {
  std::size_t count = result_.table.size();
  for (const OperationReport& operation : result_.operations) count += operation.tried();
  return count;
}

// What the finalists leave of the time.
double Session::search_seconds() const {
  const std::size_t finalists = most_finalists();
  return options_.seconds - (finalists == 0 ? 0 : static_cast<double>(finalists + 1) * options_.sustained_seconds);
}

// Whether there is no room for another batch, with so many `later` ones to come, of one candidate at least.
bool Session::is_over(std::size_t later) const {
  // Not another batch that would end too late, if it took as long as the last one.
  return elapsed() + static_cast<double>(1 + later) * last_batch_seconds_ > search_seconds() ||
         count_tried() + later >= options_.most_candidates;
}

bool Session::is_patient() const {
  return options_.search == SearchKind::exhaustive || options_.search == SearchKind::random;
}

// So much slower than the best of all that it is left.
bool Session::is_far(const Walk& walk) const {
  return !is_patient() && best_ && walk.best > options_.slow_factor * result_.seconds;
}

bool Session::goes_on(const Walk& walk) const {
  const bool is_stuck = !is_patient() && walk.best < never && walk.tried - walk.best_at >= walk.patience;
  return !walk.is_exhausted && !is_stuck;
}

// Nothing when all is tried, the time is over, or nothing better is found any more.
Session::Walk* Session::most_promising(std::vector<Walk>& walks) const {
  if (is_over()) return nullptr;
  Walk* best = nullptr;
  for (Walk& walk : walks) {
    if (goes_on(walk) && !is_far(walk) && (best == nullptr || walk.best < best->best)) best = &walk;
  }
  return best;
}

std::vector<Configuration> Session::proposals() {
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

// Tries what is proposed in this space, and more, up to `count`.
void Session::step(Walk& walk, const std::vector<Configuration>& proposed, std::size_t count, TryJournal& journal) {
  // What the operations come to together must still be tried.
  const std::size_t taken = count_tried() + (walk.operation != nullptr ? 1 : 0);
  const std::size_t room = options_.most_candidates - std::min(taken, options_.most_candidates - 1);
  std::vector<std::size_t> batch;
  for (const Configuration& configuration : proposed) {
    if (batch.size() == room) break;
    if (const auto point = walk.search.take(configuration)) batch.push_back(*point);
  }
  count = std::min(count, room);
  if (batch.size() < count) std::ranges::copy(walk.search.next(count - batch.size()), std::back_inserter(batch));
  walk.is_exhausted = batch.empty() && count > 0;
  if (batch.empty()) return;
  const double begin_of_batch = elapsed();
  try_batch(batch, walk, journal);
  last_batch_seconds_ = elapsed() - begin_of_batch;
}

// Generating and compiling on all cores, then one after the other on the device.
void Session::try_batch(const std::vector<std::size_t>& batch, Walk& walk, TryJournal& journal) {
  std::vector<Candidate> candidates(batch.size());
  std::vector<std::string> rejections(batch.size());
  std::vector<KernelSource> sources;
  std::vector<std::size_t> compiled;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    rejections[i] = rejection_of([&] {
      candidates[i] = problem_.candidate(walk.search.points()[batch[i]]);
      return early_objection(candidates[i], walk);
    });
    if (!rejections[i].empty() || candidates[i].source.text.empty()) continue;
    sources.push_back(candidates[i].source);
    compiled.push_back(i);
  }
  std::vector<core::Module> modules(batch.size());
  std::vector<CompileOutcome> outcomes = compiler_.compile_each(sources);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    modules[compiled[i]] = outcomes[i].module;
    if (outcomes[i].failure) rejections[compiled[i]] = reason_of_failure(outcomes[i].failure);
  }
  std::vector<CandidateReport>& table = walk.operation != nullptr ? walk.operation->table : result_.table;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    CandidateReport report{.configuration = walk.search.points()[batch[i]], .rejection = rejections[i]};
    if (report.rejection.empty()) try_one(candidates[i], modules[i], walk, report, journal);
    walk.search.report(batch[i], report.rejection.empty() ? report.seconds : never);
    walk.note(report);
    modules[i] = {};
    table.push_back(std::move(report));
  }
}

// What is known before it is compiled: "" where nothing speaks against it.
std::string Session::early_objection(const Candidate& candidate, const Walk& walk) const {
  if (!candidate.refusal.empty()) return candidate.refusal;
  if (walk.operation == nullptr) return Trial::too_slow(candidate, best_seconds());
  const std::string& name = walk.operation->name;  // of whose time the lower bound of the whole says nothing
  return candidate.operations.contains(name) ? "" : "has no operation '" + name + "'";
}

void Session::try_one(const Candidate& candidate, const core::Module& module, const Walk& walk, CandidateReport& report,
                      TryJournal& journal) {
  try {
    if (!candidate.kernel.empty()) report.attributes = module.kernel(candidate.kernel).attributes();
  } catch (const DeviceError& error) {
    report.rejection = first_line(error);
    return;
  }
  report.rejection = early_objection(candidate, walk);  // the best may be another by now
  if (report.rejection.empty()) {
    report.rejection = Trial::objection(compiler_.device().info(), options_, candidate, report.attributes);
  }
  if (!report.rejection.empty()) return;
  const bool is_whole = walk.operation == nullptr;
  const TimedRun timed{.operation = is_whole ? "" : walk.operation->name,
                       .best_seconds = is_whole ? best_seconds() : walk.best};
  report.rejection = on_device(candidate, module, timed, report, &journal);
  if (!is_whole || !report.rejection.empty() || report.seconds >= best_seconds()) return;
  take_as_best(report.configuration, report.seconds, digest_of(candidate.source));
}

}  // namespace maxwell_dg::rtcg
