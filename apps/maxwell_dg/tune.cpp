#include "apps/maxwell_dg/tune.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "apps/maxwell_dg/asked_config.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/plan.hpp"
#include "apps/simulation/text.hpp"
#include "apps/simulation/variant.hpp"
#include "core/log.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/tuning/curved_tuner.hpp"
#include "dg/tuning/tuning_table.hpp"
#include "rtcg/tune/ceilings.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg {

namespace {

/// The one with the costliest part of those that have curved elements, if there are any: their kernels differ. The
/// first where all have the whole mesh, of which it knows all parts.
int rank_that_tunes(const simulation::Plan& plan) {
  if (!plan.is_part) return 0;
  const std::vector<double> curved =
      core::all_of(plan.ranks, std::vector<double>{plan.discretization->curved ? 1.0 : 0.0});
  std::size_t rank = 0;
  const auto weight = [&](std::size_t r) { return std::pair(curved[r], plan.loads[r].cost); };
  for (std::size_t r = 1; r < curved.size(); ++r) {
    if (weight(r) > weight(rank)) rank = r;
  }
  return static_cast<int>(rank);
}

std::string tuned(const simulation::Plan& plan) {
  const double seconds = plan.config.solver.tuning_seconds;
  if (!(seconds > 0)) {
    simulation::refuse(plan.config, "solver.tuning_seconds", "0 leaves --tune no time; 60 is the default");
  }
  const simulation::Workload work = simulation::workload_of(plan);
  const dg::Discretization& d = *work.discretization;
  const std::string what = plan.problem.system.name + ", order " + std::to_string(d.N()) + ", " +
                           std::string(name_of(plan.config.solver.precision)) + ", " + std::to_string(d.own()) +
                           " elements" +
                           (plan.ranks.size() > 1 ? " of one of " + std::to_string(plan.ranks.size()) + " ranks" : "") +
                           ", on " + plan.device.info().name;
  log_info("tuning " + what + ": at most " + core::brief(seconds) + " s");
  rtcg::Compiler compiler(plan.device);
  dg::StageTuner tuner(compiler, work.discretization, work.problem,
                       {.precision = plan.config.solver.precision,
                        .powers = plan.wants_powers(),
                        .ceilings = rtcg::known_ceilings(compiler, rtcg::default_wisdom_directory())});
  const rtcg::TuningResult result = tuner.tune({.seconds = seconds, .anew = true});
  const rtcg::Wisdom wisdom(rtcg::default_wisdom_directory());
  std::string of_curved;
  if (dg::own_curved_count(d) > 0) {
    dg::CurvedTuner curved(compiler, work.discretization, work.problem, dg::schedule_of(result.best),
                           {.precision = plan.config.solver.precision, .powers = plan.wants_powers()});
    const rtcg::TuningResult found = curved.tune({.seconds = seconds, .anew = true});
    of_curved = rtcg::table_text(found) + std::to_string(found.table.size()) +
                " variants of curved elements tried; the fastest is " + rtcg::written(found.best) + "\n";
  }
  return what + "\n" + dg::variant_table(dg::variant_reports(tuner, result)) + rtcg::operations_text(result) +
         std::to_string(result.table.size()) + " of " + std::to_string(result.space_size) +
         " variants tried; the fastest, " + dg::schedule_of(result.best).name() + ", is kept in " +
         wisdom.file_of(plan.device.info().name).string() + "\n" + of_curved;
}

}  // namespace

std::string tune(const CommandLine& command, const core::Communicator& ranks) {
  const simulation::Plan plan =
      simulation::make_plan(load_config_of_run(command), ranks, simulation::MeshIs::part_if_large);
  const int tunes = rank_that_tunes(plan);
  const std::string text = ranks.broadcast(ranks.rank() == tunes ? tuned(plan) : "", tunes);
  return ranks.is_first() ? text : "";
}

}  // namespace maxwell_dg
