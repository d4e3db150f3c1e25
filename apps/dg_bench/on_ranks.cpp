#include "apps/dg_bench/on_ranks.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <span>

#include "core/error.hpp"
#include "core/mpi/first_error.hpp"
#include "dg/operator/operator.hpp"
#include "dg/partition/mesh_part.hpp"
#include "dg/partition/restricted.hpp"
#include "dg/partition/shared_partition.hpp"
#include "dg/time/runge_kutta.hpp"
#include "dg/variants/work.hpp"

namespace maxwell_dg::bench {

namespace {

/// What the slowest rank needs for a call, which all of them make equally often.
double slowest_seconds(const core::Communicator& ranks, const core::Stream& stream,
                       const std::function<void()>& enqueue, double warm_up_seconds) {
  constexpr double seconds_a_repeat = 0.1;
  constexpr int repeats = 9, most_calls = 10000;
  const auto timed = [&](int calls) {
    stream.synchronize();
    std::array<double, 1> seconds{};
    ranks.max(seconds);  // all begin together
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) enqueue();
    stream.synchronize();
    seconds[0] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / calls;
    ranks.max(seconds);
    return seconds[0];
  };
  (void)timed(2);
  const double once = timed(5);
  const int calls = std::clamp(static_cast<int>(std::ceil(seconds_a_repeat / once)), 1, most_calls);
  for (double left = warm_up_seconds; left > 0;) left -= calls * timed(calls);
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) seconds.push_back(timed(calls));
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

/// Schedules by their names, and the errors of their results: what the first rank finds for its own part. Collective.
struct Verified {
  std::vector<dg::Schedule> schedules;
  std::vector<double> errors;
};
Verified verified(rtcg::Compiler& compiler, const Question& question, const dg::Discretization& whole,
                  const dg::Problem& problem, const std::vector<int>& rank_of_element,
                  const core::Communicator& ranks) {
  Verified found{.schedules = question.schedules, .errors = {}};
  std::string taken;
  const std::string reason = core::first_error<std::exception>(ranks, [&] {
    if (!ranks.is_first()) return;
    const dg::MeshPart piece = dg::piece_of(whole, rank_of_element, 0);
    const auto part = std::make_shared<const dg::Discretization>(dg::restricted(whole, piece));
    if (found.schedules.empty()) {
      found.schedules.push_back(
          taken_schedule(compiler, part, dg::restricted(problem, whole, piece), question.precision));
      taken = found.schedules.front().name();
    }
    for (const dg::Schedule& schedule : found.schedules) {
      found.errors.push_back(verified_error(compiler, question, schedule, part->K()));
    }
  });
  if (!reason.empty()) throw DeviceError(reason);
  taken = ranks.broadcast(taken);
  if (!taken.empty()) found.schedules = {dg::Schedule::named(taken)};
  found.errors.resize(found.schedules.size());
  ranks.max(found.errors);  // the other ranks have 0
  return found;
}

}  // namespace

std::vector<AnswerOfRanks> run_on_ranks(rtcg::Compiler& compiler, Boxes& boxes, const Question& question,
                                        const core::Communicator& ranks) {
  const std::shared_ptr<const dg::Discretization> box = boxes.of_order(question.order);
  const dg::Problem problem = box_problem(question.system, *box, question.materials);
  const std::vector<int> rank_of_element =
      dg::shared_partition(*box, problem, compiler.device().info().is_cpu, ranks).rank_of_element;
  std::vector<std::size_t> elements(static_cast<std::size_t>(ranks.size()), 0);
  for (const int rank : rank_of_element) ++elements.at(static_cast<std::size_t>(rank));
  const Verified found = verified(compiler, question, *box, problem, rank_of_element, ranks);
  const dg::StageWork work = dg::stage_work(question.system, question.order, question.precision);
  const dg::RungeKutta& method = dg::lsrk54();
  std::vector<AnswerOfRanks> answers;
  for (std::size_t i = 0; i < found.schedules.size(); ++i) {
    dg::Operator op(compiler, box, problem,
                    {.precision = question.precision,
                     .schedule = found.schedules[i],
                     .ranks = ranks,
                     .rank_of_element = rank_of_element});
    set_random_state(op);
    const auto step = [&] { op.step({.a = method.a, .b = method.b, .c = method.c}, 1e-6, 0.0); };
    const double seconds = slowest_seconds(ranks, op.stream(), step, question.sustained) / method.stages();
    const std::size_t most = *std::ranges::max_element(elements);
    answers.push_back({.system = question.system.name,
                       .order = question.order,
                       .precision = question.precision,
                       .ranks = ranks.size(),
                       .elements = box->K(),
                       .most_elements = most,
                       .us_per_stage = 1e6 * seconds,
                       .ns_per_element_stage = 1e9 * seconds / static_cast<double>(most),
                       .gdof_per_second = work.dofs * static_cast<double>(box->K()) / seconds / 1e9,
                       .transport = op.transport() ? std::string(name_of(*op.transport())) : "none",
                       .variant = op.variant(),
                       .max_relative_error = found.errors[i]});
  }
  return answers;
}

}  // namespace maxwell_dg::bench
