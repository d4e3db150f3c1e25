#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg {

/// What an incident plane wave meets. All of it outlives the checks.
struct Scene {
  const config::Config& config;
  const dg::Discretization& d;
  const dg::Problem& problem;
  const std::vector<int>& ports;     ///< [boundary face] of a port if not negative
  const std::vector<bool>& in_pml;   ///< [element]
  const dg::maxwell::PmlLayer* pml;  ///< null: there is none
  const std::map<dg::FaceTerm::Face, double>& sheets;
  std::function<bool(std::size_t)> is_vacuum;  ///< of an element
};

/// Does a boundary face absorb, with the medium behind it or the PML that stands in front?
[[nodiscard]] bool absorbs(const Scene& scene, std::size_t boundary_face);

/// The incident wave is the same in every cell of a lattice only if it travels along the walls that are joined. Throws
/// ConfigError for a pair of periodic surfaces from one to the other of which it comes later. `key`: of the source.
void require_wave_of_lattice(const Scene& scene, const std::string& key, const config::Source& source);

/// A scattered field is outgoing, as absorbing boundaries and a PML need it, where the wave that is not part of it is
/// one of vacuum and meets nothing. Throws ConfigError for a medium that reaches an absorbing boundary or into the PML,
/// a wall through the PML on which the wave is not one, and a port.
void require_outgoing(const Scene& scene, const std::string& key);

/// The wave exists in the total-field regions alone; warns of the first medium, sheet or wall outside of them, which it
/// does not reach.
void warn_of_unlit(const Scene& scene, const std::string& key, const config::Source& source,
                   const std::vector<bool>& total);

}  // namespace maxwell_dg
