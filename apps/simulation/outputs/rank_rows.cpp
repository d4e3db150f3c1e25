#include "apps/simulation/outputs/rank_rows.hpp"

#include <algorithm>
#include <span>

#include "core/counted.hpp"
#include "core/quantity.hpp"

namespace maxwell_dg::simulation {

std::vector<RankRow> rank_rows(const Plan& plan, const dg::Operator& op) {
  const dg::Operator::Load mine = op.load();
  const std::vector<std::string> hosts = plan.ranks.gather(core::host_name());
  const std::vector<std::string> devices = plan.ranks.gather(plan.device.info().name);
  const auto loads = plan.ranks.gather(std::as_bytes(std::span(&mine, 1)));
  std::vector<RankRow> rows;
  for (std::size_t r = 0; r < loads.size(); ++r) {
    const dg::Operator::Load load = core::values_of<dg::Operator::Load>(loads[r]).front();
    rows.push_back({.rank = static_cast<int>(r),
                    .host = hosts[r],
                    .device = devices[r],
                    .elements = load.elements,
                    .ghosts = load.ghosts,
                    .bytes_sent_per_stage = load.bytes_sent_per_stage});
  }
  return rows;
}

std::string describe_ranks(const std::vector<RankRow>& rows) {
  const auto [least, most] = std::ranges::minmax(rows, {}, &RankRow::elements);
  const std::size_t ghosts = std::ranges::max(rows, {}, &RankRow::ghosts).ghosts;
  const std::size_t sent = std::ranges::max(rows, {}, &RankRow::bytes_sent_per_stage).bytes_sent_per_stage;
  return std::to_string(rows.size()) + " ranks: " + std::to_string(least.elements) + " to " +
         core::counted(most.elements, "element", "elements") + " each, at most " +
         core::counted(ghosts, "ghost", "ghosts") + ", and " + core::with_prefix(static_cast<double>(sent), "B") +
         " sent a stage";
}

}  // namespace maxwell_dg::simulation
