#pragma once

#include <string>
#include <vector>

#include "apps/simulation/outputs/rank_rows.hpp"
#include "apps/simulation/plan.hpp"

namespace maxwell_dg::simulation {

/// What a run will be, as lines of YAML comments, "# steps: 120": elements by region, the mesh's size, degrees of
/// freedom, device memory, dt, steps, points per wavelength, what sources do when, files, the time that the run takes.
/// Of several ranks, whose `ranks` are those of rank_rows: how the mesh is divided, and each rank's memory; the time is
/// that of the costliest part. Collective where they have parts of the mesh; then the first rank's text counts.
[[nodiscard]] std::string forecast(const Plan& plan, std::vector<RankRow> ranks);

}  // namespace maxwell_dg::simulation
