#pragma once

#include "apps/config/config.hpp"
#include "apps/maxwell_dg/command_line.hpp"

namespace maxwell_dg {

/// The config with --set, --device and --output applied. Throws ConfigError.
[[nodiscard]] config::Config load_config(const CommandLine& command);
/// The same of a single run: of a sweep its first one.
[[nodiscard]] config::Config load_config_of_run(const CommandLine& command);

}  // namespace maxwell_dg
