#include "apps/maxwell_dg/check.hpp"

#include <utility>
#include <vector>

#include "apps/config/load.hpp"
#include "apps/maxwell_dg/asked_config.hpp"
#include "apps/simulation/checks/forecast.hpp"
#include "apps/simulation/checks/mesh_warnings.hpp"
#include "apps/simulation/checks/plausibility.hpp"
#include "apps/simulation/outputs/rank_rows.hpp"
#include "apps/simulation/plan.hpp"

namespace maxwell_dg {

std::string check(const CommandLine& command, const core::Communicator& ranks) {
  const simulation::Plan plan =
      simulation::make_plan(load_config_of_run(command), ranks, simulation::MeshIs::part_if_large);
  std::vector<simulation::RankRow> rows = simulation::rank_rows(plan);
  if (!ranks.is_first() && !plan.is_part) return "";
  simulation::warn_of_plan(plan);
  const std::string forecast = simulation::forecast(plan, std::move(rows));
  if (!ranks.is_first()) return "";
  std::string text = config::resolved_yaml(plan.config);
  if (!text.ends_with('\n')) text += '\n';
  return text + "\n# forecast\n" + forecast;
}

}  // namespace maxwell_dg
