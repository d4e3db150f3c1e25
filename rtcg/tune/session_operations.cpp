#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "rtcg/tune/session.hpp"

namespace maxwell_dg::rtcg {

namespace {

Configuration part_of(const Configuration& whole, std::span<const std::string> names) {
  Configuration part;
  for (const std::string& name : names) part[name] = whole.at(name);
  return part;
}

/// A configuration, but for an operation's parameters, which are as in another.
Configuration with(Configuration configuration, const Configuration& operation, const Configuration& from) {
  for (const auto& [name, value] : operation) configuration[name] = from.at(name);
  return configuration;
}

/// Seconds that the best saves; the base comes first in the table, and is among what works.
double gain(const OperationReport& operation) {
  return operation.table.front().seconds - operation.seconds;
}

/// What is faster than the base, the fastest first.
std::vector<const CandidateReport*> faster_ones(const OperationReport& operation) {
  std::vector<const CandidateReport*> faster;
  for (const CandidateReport& report : operation.table) {
    if (report.rejection.empty() && report.seconds < operation.table.front().seconds) faster.push_back(&report);
  }
  std::ranges::stable_sort(faster, {}, &CandidateReport::seconds);
  return faster;
}

}  // namespace

// In each space that has them and is promising, the fastest first: each operation by itself, then all together.
void Session::tune_operations(std::vector<Walk>& walks, TryJournal& journal) {
  std::vector<Walk*> order;
  for (Walk& walk : walks) {
    const bool is_all_tried = walk.tried >= walk.search.points().size();
    if (walk.best < never && !is_all_tried) order.push_back(&walk);
  }
  std::ranges::stable_sort(order, {}, &Walk::best);
  for (Walk* const walk : order) {
    const std::size_t begin = result_.operations.size();
    for (const SearchSpace::Operation& operation : walk->space->operations()) {
      if (!is_far(*walk) && !is_over(1)) tune_operation(*walk, operation, journal);
    }
    merge(*walk, std::span(result_.operations).subspan(begin), journal);
  }
}

// Around the best of its space. There must be room for another batch later, in which the whole is tried.
void Session::tune_operation(const Walk& whole, const SearchSpace::Operation& operation, TryJournal& journal) {
  const Configuration& base = whole.best_configuration;
  const SearchPoints points = whole.space->restricted(base, operation.parameters).points();
  if (points.size() == 1) return;
  const std::size_t patience = (options_.patience + 1) / 2;
  // In order, a search that loses patience would never come to the last values of the first parameter.
  const bool is_large = options_.search == SearchKind::automatic && points.size() > patience;
  const SearchKind kind = is_large ? SearchKind::local : options_.search;
  OperationReport& report = result_.operations.emplace_back(OperationReport{.base = base, .name = operation.name});
  Walk walk{
      .space = whole.space, .search = Search(kind, points, options_.seed), .patience = patience, .operation = &report};
  for (const auto* dangerous : {&journal.fatal(), &journal.suspected()}) {
    for (const Configuration& configuration : *dangerous) (void)walk.search.take(configuration);
  }
  if (const auto point = walk.search.take(base)) try_batch({*point}, walk, journal);
  report.best = part_of(base, operation.parameters);
  if (walk.best == never) return;  // of what else can be timed it cannot be said whether it is better
  while (goes_on(walk) && !is_over(1)) step(walk, {}, batch_size_, journal);
  report.best = part_of(walk.best_configuration, operation.parameters);
  report.seconds = walk.best;
}

// The best of all operations together, as a whole, whose time decides. Where they do not fit together, or are no
// better, one after another, what saves most first, each as fast as fits.
void Session::merge(Walk& walk, std::span<const OperationReport> operations, TryJournal& journal) {
  std::vector<const OperationReport*> better;
  Configuration together = walk.best_configuration;
  for (const OperationReport& operation : operations) {
    if (gain(operation) <= 0) continue;
    better.push_back(&operation);
    together = with(std::move(together), operation.best, operation.best);
  }
  if (better.empty() || becomes_best(walk, together, journal)) return;
  std::ranges::stable_sort(better, std::ranges::greater(),
                           [](const OperationReport* operation) { return gain(*operation); });
  for (const OperationReport* const operation : better) {
    for (const CandidateReport* const report : faster_ones(*operation)) {
      const Configuration next = with(walk.best_configuration, operation->best, report->configuration);
      if (!walk.space->contains(next)) continue;
      (void)becomes_best(walk, next, journal);
      break;
    }
  }
}

// Tries it, if there is time for it. One candidate alone says nothing of how long a batch takes.
bool Session::becomes_best(Walk& walk, const Configuration& configuration, TryJournal& journal) {
  if (elapsed() < search_seconds() && count_tried() < options_.most_candidates) {
    if (const auto point = walk.search.take(configuration)) try_batch({*point}, walk, journal);
  }
  return walk.best_configuration == configuration;
}

}  // namespace maxwell_dg::rtcg
