#include "apps/simulation/blame.hpp"

#include "core/error.hpp"
#include "core/log.hpp"

namespace maxwell_dg::simulation {

void warn(const config::Config& config, const std::string& key, const std::string& message) {
  log_warning(config.blame(key, message));
}

void refuse(const config::Config& config, const std::string& key, const std::string& message) {
  throw ConfigError(config.blame(key, message));
}

}  // namespace maxwell_dg::simulation
