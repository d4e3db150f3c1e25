#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/simulation/plan.hpp"
#include "dg/partition/part_loads.hpp"

namespace maxwell_dg::simulation {

/// What one of several ranks has to do.
struct RankRow {
  int rank{};
  std::string host, device;
  dg::PartLoad load;
  std::size_t bytes_sent_per_stage{};
  std::size_t forecast_bytes{};   ///< of device memory
  std::size_t free_bytes{};       ///< of it, now
  std::size_t allocated_bytes{};  ///< of it, at most until now
  std::size_t host_bytes{};       ///< of memory of the process, at most until now
  std::size_t compiled{};         ///< kernels that it compiled, for itself and others
};

/// [rank] on the first rank; empty on the others, and of a run of one rank. `compiled`: kernels that this one has
/// compiled. Collective.
[[nodiscard]] std::vector<RankRow> rank_rows(const Plan& plan, std::size_t compiled = 0);

/// How the mesh is divided: a line for people, and below it a table with a line for each rank.
[[nodiscard]] std::vector<std::string> describe_partition(const Plan& plan, const std::vector<RankRow>& rows);

}  // namespace maxwell_dg::simulation
