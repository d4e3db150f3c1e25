#pragma once

#include "apps/config/config.hpp"
#include "dg/mesh/discretization.hpp"

namespace maxwell_dg::simulation {

/// Throws ConfigError for a source or initial fields that are not their own mirror image in a plane of `symmetry`.
/// Ports have a check of their own (maxwell::require_symmetric).
void require_symmetric_sources(const config::Config& config, const dg::Discretization& discretization);

/// Which part of a dipole's moment the mesh has: all of it, or, where planes of `symmetry` lead through it, an equal
/// share of each mirror image.
[[nodiscard]] double share_in_mesh(const config::Config& config);

}  // namespace maxwell_dg::simulation
