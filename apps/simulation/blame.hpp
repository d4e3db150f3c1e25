#pragma once

#include <string>

#include "apps/config/config.hpp"

/// Messages about a key of the config, which begin with its place in the file.
namespace maxwell_dg::simulation {

void warn(const config::Config& config, const std::string& key, const std::string& message);

/// Throws ConfigError.
[[noreturn]] void refuse(const config::Config& config, const std::string& key, const std::string& message);

}  // namespace maxwell_dg::simulation
