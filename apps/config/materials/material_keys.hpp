#pragma once

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {

/// The key `materials`, with the constants that the system's media have.
[[nodiscard]] Key materials_key(Config& config, const KnownSystem& system);

}  // namespace maxwell_dg::config
