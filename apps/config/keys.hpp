#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {

/// The whole description of the keys, bound to `config`: reading, writing, the schema and the reference come from it.
[[nodiscard]] Object config_keys(Config& config);

/// The fields that a config may name, with the number of their components: E and H, or p and u.
[[nodiscard]] std::vector<std::pair<std::string, std::size_t>> fields_of(SystemKind system);

/// Names that constants may not take.
[[nodiscard]] const std::vector<std::string>& reserved_names();

}  // namespace maxwell_dg::config
