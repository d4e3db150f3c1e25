#pragma once

#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {

/// The whole description of the keys, bound to `config`: reading, writing, the schema and the reference come from it.
[[nodiscard]] Object config_keys(Config& config);

/// Names that constants may not take.
[[nodiscard]] const std::vector<std::string>& reserved_names();

}  // namespace maxwell_dg::config
