#pragma once

#include "apps/config/config.hpp"
#include "apps/config/resolve.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::simulation {

/// Adds to the problem what the config has beside equations, materials and boundaries: how its sources enter, its
/// PML, its dispersive media. Throws ConfigError for what does not fit the mesh or contradicts
/// itself.
void add_terms(const config::Config& config, const dg::Discretization& discretization, const config::Resolved& resolved,
               dg::Problem& problem);

}  // namespace maxwell_dg::simulation
