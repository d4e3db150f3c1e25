#include "apps/maxwell_dg/asked_config.hpp"

#include "apps/config/load.hpp"

namespace maxwell_dg {

config::Config load_config(const CommandLine& command) {
  config::Config config = config::load_config(command.config, command.assignments);
  if (command.device) config.device = *command.device;
  if (command.output) config.outputs.directory = *command.output;
  config.mesh.trust_geometry = command.trust_geometry;
  return config;
}

}  // namespace maxwell_dg
