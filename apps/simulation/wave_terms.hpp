#pragma once

#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "dg/maxwell/scene.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::simulation {

/// How an incident plane wave enters: through the surface of the total-field regions, or by what scatters it, where the
/// solver computes the scattered field alone. `problem`: the scene's; `ports`: config::Resolved's; `key`: of the
/// source. Throws ConfigError for a wave that does not fit the scene.
void add_wave_terms(const config::Config& config, const dg::maxwell::Scene& scene, const std::vector<int>& ports,
                    const std::string& key, const config::PlaneWave& source, dg::Problem& problem);

}  // namespace maxwell_dg::simulation
