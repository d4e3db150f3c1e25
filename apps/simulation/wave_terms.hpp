#pragma once

#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "dg/maxwell/scene.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::simulation {

/// The medium that a plane wave comes in through: that of most of the total-field regions' surface; of a scattered
/// field, that of what absorbs, PML or boundary, where the wave arrives first. Vacuum where there is none. Terms of
/// dispersive media are in the problem. `in_pml`: [element]; `key`: of the source; `ranks`: those that have parts of
/// the mesh. Collective.
[[nodiscard]] dg::maxwell::HomogeneousMedium background_of(const config::Config& config,
                                                           const dg::Discretization& discretization,
                                                           const dg::Problem& problem, const std::vector<bool>& in_pml,
                                                           const std::string& key, const config::PlaneWave& source,
                                                           const core::Communicator& ranks);

/// How an incident plane wave enters: through the surface of the total-field regions, or by what scatters it, where the
/// solver computes the scattered field alone. `problem`: the scene's; `ports`: config::Resolved's; `key`: of the
/// source; `ranks`: those that have parts of the mesh. All throw ConfigError for a wave that does not fit the scene.
/// Collective.
void add_wave_terms(const config::Config& config, const dg::maxwell::Scene& scene, const std::vector<int>& ports,
                    const std::string& key, const config::PlaneWave& source, dg::Problem& problem,
                    const core::Communicator& ranks);

}  // namespace maxwell_dg::simulation
