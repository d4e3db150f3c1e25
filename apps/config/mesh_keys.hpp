#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/mesh/periodic.hpp"

namespace maxwell_dg::config {

/// The key `mesh` with all below it, bound to `mesh`.
[[nodiscard]] Key mesh_key(MeshSource& mesh);

/// Whether the file says in which unit it is.
[[nodiscard]] bool has_own_unit(const MeshSource& mesh);

/// How the file that a config names is read.
[[nodiscard]] dg::MeshReading mesh_reading(const Config& config);
/// The mesh that a config names, prepared: in memory, read, or built. Throws MeshError.
[[nodiscard]] dg::Mesh source_mesh(const Config& config);

/// Which regions of a mesh count as curved: of the source_mesh and of those in which media vary (varying_regions), such
/// a list with the latter in it.
using RegionsToCurve = std::function<std::vector<bool>(const dg::Mesh& mesh, const std::vector<bool>& varying)>;
/// The mesh to compute on: source_mesh, with its cells that count as curved behind the others, its periodic surfaces
/// joined, its walls told. `to_curve` left out: those in which media vary do. Throws MeshError.
[[nodiscard]] dg::Mesh make_mesh(const Config& config, const RegionsToCurve& to_curve = {});
/// Joins the periodic surfaces of a mesh, and tells it its walls.
void join_surfaces(const Config& config, dg::Mesh& mesh);

/// Gives keys of `mesh` that were left out what `mesh_reading` says.
void complete_mesh(Config& config);

/// The pairs of periodic surfaces that join_periodic joins, as far as the mesh has such surfaces.
[[nodiscard]] std::vector<dg::PeriodicPair> periodic_pairs(const Config& config,
                                                           const std::vector<std::string>& surfaces);

}  // namespace maxwell_dg::config
