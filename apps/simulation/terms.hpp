#pragma once

#include <optional>

#include "apps/config/config.hpp"
#include "apps/config/resolve.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::simulation {

/// Adds to the problem what the config has beside equations, materials and boundaries: how its sources enter, its
/// PML, its dispersive media. Returns the PML, if there is one. Throws ConfigError for what does not fit the mesh or
/// contradicts itself. `ranks`: those that have parts of the mesh, of which the discretization is this one's; all of
/// them get the same terms, or an error. Collective.
[[nodiscard]] std::optional<dg::maxwell::PmlLayer> add_terms(const config::Config& config,
                                                             const dg::Discretization& discretization,
                                                             const config::Resolved& resolved, dg::Problem& problem,
                                                             const core::Communicator& ranks);

}  // namespace maxwell_dg::simulation
