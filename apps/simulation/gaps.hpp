#pragma once

#include <string>

#include "apps/config/config.hpp"
#include "dg/maxwell/lumped_port.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

/// Gaps between two conductors, which lumped ports and elements name.
namespace maxwell_dg::simulation {

/// The faces that an entry at `key` ("ports.0") names by its keys `boundary`, `from` and `to`. Throws ConfigError where
/// the mesh has no such surface.
[[nodiscard]] dg::maxwell::Gap find_gap(const config::Config& config, const dg::Discretization& discretization,
                                        const std::string& key, const std::string& boundary, const std::string& from,
                                        const std::string& to);

/// Throws ConfigError at `key` where a face of own elements does not conduct that is of the surface `name`.
void require_conductor(const config::Config& config, const dg::Discretization& discretization,
                       const dg::Problem& problem, const std::string& key, const std::string& name);

}  // namespace maxwell_dg::simulation
