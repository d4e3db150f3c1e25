#pragma once

#include "apps/config/config.hpp"
#include "dg/mesh/mesh_rows.hpp"
#include "dg/partition/distributed/cell_slice.hpp"

namespace maxwell_dg::simulation {

/// What a stage of a cell is expected to cost, before any rank knows its terms: as dg::element_costs, but for what a
/// PML costs in edges and corners of a shape that only the mesh tells. `content`: of the mesh. The config must outlive
/// it.
[[nodiscard]] dg::CellCost cell_cost(const config::Config& config, const dg::MeshRows::Content& content, bool is_cpu);

}  // namespace maxwell_dg::simulation
