#pragma once

#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {

[[nodiscard]] Key ports_key(Config& config);
[[nodiscard]] Key s_parameters_key(Outputs& outputs);

/// What sources and outputs say of ports against what ports there are; fills in which ports a source drives.
void check_ports(Config& config, Reader& reader);

}  // namespace maxwell_dg::config
