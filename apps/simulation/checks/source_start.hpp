#pragma once

#include <string>

#include "apps/config/config.hpp"
#include "dg/maxwell/scene.hpp"
#include "dg/mesh/discretization.hpp"

namespace maxwell_dg::simulation {

/// Warns of a plane wave of which some part is in the mesh already at t = 0. Throws ConfigError for a waveform that is
/// no finite number.
void warn_of_wave_at_start(const config::Config& config, const std::string& key, const dg::maxwell::Waveform& waveform,
                           const dg::maxwell::TimesInMesh& times);

/// Warns of a dipole's moment, a port's voltage or a current that begins with a jump: fields that start from zero do
/// not fit it, and the charges that it would have brought stay behind. `key`: of the source. Throws like the above.
void warn_of_start(const config::Config& config, const std::string& key, const config::Dipole& source);
void warn_of_start(const config::Config& config, const std::string& key, const config::DrivenPorts& source);
void warn_of_start(const config::Config& config, const std::string& key, const config::Current& source,
                   const dg::Discretization& discretization);

}  // namespace maxwell_dg::simulation
