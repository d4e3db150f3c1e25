#include "apps/maxwell_dg/tune.hpp"

#include "apps/maxwell_dg/asked_config.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/plan.hpp"
#include "apps/simulation/text.hpp"
#include "apps/simulation/variant.hpp"
#include "core/log.hpp"
#include "dg/tuning/curved_tuner.hpp"
#include "dg/tuning/tuning_table.hpp"
#include "rtcg/tune/ceilings.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg {

std::string tune(const CommandLine& command, const core::Communicator& ranks) {
  const simulation::Plan plan = simulation::make_plan(load_config(command), ranks);
  if (!ranks.is_first()) return "";
  const double seconds = plan.config.solver.tuning_seconds;
  if (!(seconds > 0)) {
    simulation::refuse(plan.config, "solver.tuning_seconds", "0 leaves --tune no time; 60 is the default");
  }
  const simulation::Workload work = simulation::workload_of(plan);
  const dg::Discretization& d = *work.discretization;
  const std::string what = plan.problem.system.name + ", order " + std::to_string(d.N()) + ", " +
                           std::string(name_of(plan.config.solver.precision)) + ", " + std::to_string(d.K()) +
                           " elements" +
                           (ranks.size() > 1 ? " of one of " + std::to_string(ranks.size()) + " ranks" : "") + ", on " +
                           plan.device.info().name;
  log_info("tuning " + what + ": at most " + core::brief(seconds) + " s");
  rtcg::Compiler compiler(plan.device);
  dg::StageTuner tuner(compiler, work.discretization, work.problem,
                       {.precision = plan.config.solver.precision,
                        .powers = plan.wants_powers(),
                        .ceilings = rtcg::known_ceilings(compiler, rtcg::default_wisdom_directory())});
  const rtcg::TuningResult result = tuner.tune({.seconds = seconds, .anew = true});
  const rtcg::Wisdom wisdom(rtcg::default_wisdom_directory());
  std::string of_curved;
  if (d.curved) {
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

}  // namespace maxwell_dg
