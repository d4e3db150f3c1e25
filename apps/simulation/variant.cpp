#include "apps/simulation/variant.hpp"

#include "dg/tuning/curved_tuner.hpp"
#include "rtcg/tune/ceilings.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg::simulation {

namespace {

dg::StageTuner::Options options_for(const Plan& plan) {
  return {.precision = plan.config.solver.precision,
          .powers = plan.wants_powers(),
          .ceilings = rtcg::find_ceilings(plan.device, rtcg::default_wisdom_directory())};
}

double stages_to_come(const Plan& plan) {
  return static_cast<double>(plan.steps - plan.first_step) * plan.method->stages();
}

}  // namespace

dg::Variant choose_variant(const Plan& plan, const rtcg::Compiler& compiler) {
  dg::StageTuner tuner(compiler, plan.discretization, plan.problem, options_for(plan));
  return tuner.choose(stages_to_come(plan), {.seconds = plan.config.solver.tuning_seconds});
}

dg::CurvedVariant choose_curved_variant(const Plan& plan, const rtcg::Compiler& compiler,
                                        const dg::Schedule& schedule) {
  if (!plan.discretization->curved) return {};
  return dg::CurvedTuner(compiler, plan.discretization, plan.problem, schedule,
                         {.precision = plan.config.solver.precision, .powers = plan.wants_powers()})
      .choose();
}

dg::StageTuner::Expectation expect_variant(const Plan& plan, const rtcg::Compiler& compiler) {
  dg::StageTuner tuner(compiler, plan.discretization, plan.problem, options_for(plan));
  return tuner.expect(stages_to_come(plan), {.seconds = plan.config.solver.tuning_seconds});
}

}  // namespace maxwell_dg::simulation
