#pragma once

#include <string>

#include "apps/simulation/incident_checks.hpp"

namespace maxwell_dg {

/// How an incident plane wave enters: through the surface of the total-field regions, or by what scatters it, where the
/// solver computes the scattered field alone. What follows the whole field, dispersive media and sheets, must be among
/// the problem's terms already. `problem`: the scene's; `key`: of the source. Throws ConfigError for a wave that does
/// not fit the scene.
void add_wave_terms(const Scene& scene, const std::string& key, const config::Source& source, dg::Problem& problem);

}  // namespace maxwell_dg
