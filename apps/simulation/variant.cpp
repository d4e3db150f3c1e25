#include "apps/simulation/variant.hpp"

#include "rtcg/tune/ceilings.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg {

dg::Variant choose_variant(const Plan& plan, const rtcg::Compiler& compiler) {
  dg::StageTuner tuner(compiler, plan.discretization, plan.problem,
                       {.precision = plan.config.solver.precision,
                        .powers = plan.wants_powers(),
                        .ceilings = rtcg::find_ceilings(plan.device, rtcg::default_wisdom_directory())});
  const double stages = static_cast<double>(plan.steps - plan.first_step) * plan.method->stages();
  return tuner.choose(stages, {.seconds = plan.config.solver.tuning_seconds});
}

}  // namespace maxwell_dg
