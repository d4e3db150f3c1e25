#pragma once

#include <memory>
#include <optional>
#include <string>

#include "apps/simulation/plan.hpp"
#include "core/error.hpp"
#include "core/mpi/first_error.hpp"
#include "dg/mesh/mesh_rows.hpp"
#include "dg/partition/distributed/cell_slice.hpp"

namespace maxwell_dg::simulation {

/// The mesh of a plan for several ranks, if it is to be read by slices: it has more elements than mesh.slices_above.
/// Collective.
[[nodiscard]] std::unique_ptr<const dg::MeshRows> mesh_to_slice(const Plan& plan);

/// Where ranks have read the whole of a large mesh from a file that has no slices: says how to make one that has.
void advise_conversion(const Plan& plan);

/// Calls what a rank does with its part. Where that throws ConfigError on some rank, all throw dg::NeedsWholeMesh: only
/// the whole mesh tells whether the config is wrong, and how. Collective.
template <class Work>
void on_parts(const core::Communicator& ranks, const Work& work) {
  const std::string reason = core::first_error<ConfigError>(ranks, work);
  if (!reason.empty()) throw dg::NeedsWholeMesh("a part of it does not do for this config: " + reason);
}

/// Reads this rank's part of the mesh and makes the problem on it: discretization, problem, whole, probes, step,
/// partition and loads of the plan. Throws MeshError, and dg::NeedsWholeMesh; then the plan is as before. Collective.
void plan_part(Plan& plan, const dg::MeshRows& rows, dg::System system);

}  // namespace maxwell_dg::simulation
