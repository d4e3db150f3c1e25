#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/simulation/plan.hpp"
#include "dg/operator/operator.hpp"

namespace maxwell_dg::simulation {

/// What one of several ranks computes.
struct RankRow {
  int rank{};
  std::string host, device;
  std::size_t elements{};  ///< that it computes
  std::size_t ghosts{};    ///< of others, whose traces it reads
  std::size_t bytes_sent_per_stage{};
};

/// [rank] on the first rank; empty on the others. Collective.
[[nodiscard]] std::vector<RankRow> rank_rows(const Plan& plan, const dg::Operator& op);

/// How the work is divided, in a line for people.
[[nodiscard]] std::string describe_ranks(const std::vector<RankRow>& rows);

}  // namespace maxwell_dg::simulation
