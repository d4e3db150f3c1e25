#include "apps/simulation/variant.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "dg/partition/restricted.hpp"
#include "dg/tuning/curved_tuner.hpp"
#include "rtcg/tune/ceilings.hpp"
#include "rtcg/tune/json_value.hpp"
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

Workload workload_of(const Plan& plan) {
  if (plan.is_part) return {plan.discretization, dg::with_own_terms(plan.problem, *plan.discretization)};
  if (!plan.partition) return {plan.discretization, plan.problem};
  const dg::Discretization& whole = *plan.discretization;
  const std::vector<int>& rank_of_element = plan.partition->rank_of_element;
  // The costliest part of those that have curved elements, if there are any: their kernels differ.
  std::vector<bool> has_curved(plan.loads.size());
  for (std::size_t k = 0; k < whole.K(); ++k) {
    if (whole.mesh.curved.is_curved(k)) has_curved[dg::index(rank_of_element[k])] = true;
  }
  std::size_t rank = 0;
  const auto weight = [&](std::size_t r) { return std::pair<bool, double>(has_curved[r], plan.loads[r].cost); };
  for (std::size_t r = 1; r < plan.loads.size(); ++r) {
    if (weight(r) > weight(rank)) rank = r;
  }
  return dg::own_elements_alone(whole, plan.problem, rank_of_element, static_cast<int>(rank));
}

ChosenVariants choose_variants(const Plan& plan, const rtcg::Compiler& compiler,
                               const std::optional<dg::Variant>& before) {
  ChosenVariants chosen;
  std::string curved;
  if (plan.ranks.is_first()) {
    Workload work = workload_of(plan);
    const bool has_curved = dg::own_curved_count(*work.discretization) > 0;
    // A problem of many elements is copied only where it is needed twice.
    const auto problem = [&] { return has_curved ? work.problem : std::move(work.problem); };
    chosen.variant = before ? *before
                            : dg::StageTuner(compiler, work.discretization, problem(), options_for(plan))
                                  .choose(stages_to_come(plan), {.seconds = plan.config.solver.tuning_seconds});
    if (has_curved) {
      chosen.curved = dg::CurvedTuner(compiler, work.discretization, std::move(work.problem), chosen.variant.schedule,
                                      {.precision = plan.config.solver.precision, .powers = plan.wants_powers()})
                          .choose();
      curved = rtcg::to_json(chosen.curved);
    }
  }
  if (plan.ranks.size() == 1) return chosen;
  chosen.variant.schedule = dg::Schedule::named(plan.ranks.broadcast(chosen.variant.schedule.name()));
  curved = plan.ranks.broadcast(curved);
  if (!curved.empty()) chosen.curved = rtcg::from_json(curved).value().record();
  return chosen;
}

dg::StageTuner::Expectation expect_variant(const Plan& plan, const rtcg::Compiler& compiler) {
  dg::StageTuner tuner(compiler, plan.discretization, plan.problem, options_for(plan));
  return tuner.expect(stages_to_come(plan), {.seconds = plan.config.solver.tuning_seconds});
}

}  // namespace maxwell_dg::simulation
