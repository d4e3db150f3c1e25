#include "apps/maxwell_dg/asked_config.hpp"

#include "apps/config/load.hpp"
#include "apps/simulation/sweep.hpp"

namespace maxwell_dg {

config::Config load_config(const CommandLine& command) {
  config::Config config = config::load_config(command.config, command.assignments);
  if (command.device) config.device = *command.device;
  if (command.output) config.outputs.directory = *command.output;
  config.mesh.trust_geometry = command.trust_geometry;
  return config;
}

config::Config load_config_of_run(const CommandLine& command) {
  const config::Config config = load_config(command);
  return config.sweep ? simulation::config_of(config, simulation::incidences(*config.sweep).front()) : config;
}

}  // namespace maxwell_dg
