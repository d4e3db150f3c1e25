#pragma once

#include <string>

#include "apps/config/config.hpp"
#include "dg/maxwell/lumped_port.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

/// Gaps between two conductors, which lumped ports and elements name.
namespace maxwell_dg::simulation {

/// The faces that an entry at `key` ("ports.0") names by its keys `boundary`, `from` and `to`, of complex fields those
/// of the real part. Throws ConfigError where the mesh has no such surface.
[[nodiscard]] dg::maxwell::Gap find_gap(const config::Config& config, const dg::Discretization& discretization,
                                        const std::string& key, const std::string& boundary, const std::string& from,
                                        const std::string& to);

/// Throws ConfigError where a conductor that a lumped port or element names does not conduct: whole, or as far as it is
/// in own elements of a part.
void require_conductors(const config::Config& config, const dg::Discretization& discretization,
                        const dg::Problem& problem);

}  // namespace maxwell_dg::simulation
