#pragma once

#include <vector>

#include "apps/config/config.hpp"
#include "core/mpi/communicator.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::simulation {

/// Throws ConfigError for media, a source or initial fields that are not their own mirror image in a plane of
/// `symmetry`. `material`: of each cell, its entry in `materials`. Ports have a check of their own
/// (maxwell::require_symmetric). All of `ranks` throw, each of which has a part of the mesh. Collective.
void require_symmetric(const config::Config& config, const dg::Discretization& discretization,
                       const dg::Problem& problem, const std::vector<int>& material, const core::Communicator& ranks);

}  // namespace maxwell_dg::simulation
