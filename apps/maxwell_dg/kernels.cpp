#include "apps/maxwell_dg/kernels.hpp"

#include <utility>

#include "apps/kernel_files.hpp"
#include "apps/maxwell_dg/asked_config.hpp"
#include "apps/simulation/plan.hpp"
#include "apps/simulation/prepared.hpp"
#include "apps/simulation/variant.hpp"
#include "core/log.hpp"
#include "dg/observe/files/memory_sink.hpp"

namespace maxwell_dg {

std::string write_kernels(const CommandLine& command) {
  config::Config config = load_config_of_run(command);
  KernelFiles files(command.kernels);
  simulation::Plan plan = simulation::make_plan(std::move(config));
  rtcg::Compiler compiler = files.compiler_for(plan.device);
  plan.device = compiler.device();
  const auto [variant, may_be_tuned] = simulation::expect_variant(plan, compiler);
  if (may_be_tuned) {
    log_warning("the run may first look for a kernel variant faster than " + variant.schedule.name() + " (" +
                variant.origin + "), whose kernels these are; --tune looks for it now");
  }
  files.set_purpose({.system = plan.problem.system.name,
                     .N = plan.discretization->N(),
                     .precision = plan.config.solver.precision,
                     .schedule = variant.schedule,
                     .device = plan.device.info()});
  // As a run does before its first step, and all that it compiles it compiles there.
  dg::MemorySink results([](const dg::Snapshot&) {});  // for all observers to be there
  simulation::Prepared prepared(plan, compiler, variant.schedule);
  prepared.watch(results);
  return files.finish();
}

}  // namespace maxwell_dg
