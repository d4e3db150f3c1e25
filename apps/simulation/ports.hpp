#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/simulation/plan.hpp"
#include "dg/maxwell/port.hpp"
#include "dg/observe/port_levels.hpp"
#include "dg/observe/port_waves.hpp"

/// From a config to the ends of waveguides.
namespace maxwell_dg::simulation {

/// The config's ports, of complex fields with the faces of the real part. `ports`: config::Resolved's. Throws
/// ConfigError for a surface that does not suit the mode, a medium that varies or loses energy, and frequencies below
/// cut-off.
[[nodiscard]] std::vector<dg::maxwell::Port> make_ports(const config::Config& config,
                                                        const dg::Discretization& discretization,
                                                        const std::vector<int>& ports, const dg::Problem& problem);
/// Adds their conditions and incoming waves to the problem, of complex fields to both parts.
void add_port_terms(const config::Config& config, const dg::Discretization& discretization,
                    std::vector<dg::maxwell::Port> ports, dg::Problem& problem);

/// Throws ConfigError for frequencies of `outputs.s_parameters` that the source does not hold, and a run too short for
/// all ports to be driven.
void check_s_parameters(const Plan& plan);

/// How many ports are driven, one after the other; one where none is.
[[nodiscard]] std::size_t turns_of(const config::Config& config);

/// Of `outputs.s_parameters`, which is there.
[[nodiscard]] dg::PortWaves::Options port_wave_options(const Plan& plan, dg::Sink& sink);

/// Are the waves that go out of ports looked at while the run goes on? For outputs.s_parameters and time.until.
[[nodiscard]] bool wants_port_levels(const Plan& plan);
/// How they are.
[[nodiscard]] dg::PortLevels::Options port_level_options(const Plan& plan);

/// Adds to what is used of the operator what both need.
void add_port_waves(const Plan& plan, dg::Operator::Usage& usage);

/// "te10, cut-off 6.557 GHz", for people.
[[nodiscard]] std::string describe_port(const Plan& plan, std::size_t port);

}  // namespace maxwell_dg::simulation
