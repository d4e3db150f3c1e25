#pragma once

#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "dg/maxwell/scene.hpp"

namespace maxwell_dg::simulation {

/// The wave of a source, without its waveform.
[[nodiscard]] dg::maxwell::PlaneWave direction_of_wave(const config::PlaneWave& source);

/// The incident wave is the same in every cell of a lattice only if it travels along the walls that are joined. Throws
/// ConfigError for a pair of periodic surfaces from one to the other of which it comes later. `key`: of the source;
/// `ranks`: those that have parts of the mesh. Collective.
void require_wave_of_lattice(const config::Config& config, const dg::maxwell::Scene& scene, const std::string& key,
                             const config::PlaneWave& source, const core::Communicator& ranks);

/// A scattered field is outgoing, as absorbing boundaries and a PML need it, where the wave that is not part of it is
/// one of the background and meets nothing. Throws ConfigError for a medium that reaches an absorbing boundary or into
/// the PML, a wall through the PML on which the wave is not one, and a port.
void require_outgoing(const config::Config& config, const dg::maxwell::Scene& scene, const std::string& key);

/// The wave exists in the total-field regions alone; warns of the first medium, sheet or wall outside of them, which it
/// does not reach.
void warn_of_unlit(const config::Config& config, const dg::maxwell::Scene& scene, const std::string& key,
                   const config::PlaneWave& source, const std::vector<bool>& total);

}  // namespace maxwell_dg::simulation
