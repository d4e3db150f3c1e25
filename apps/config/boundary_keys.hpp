#pragma once

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {

/// The key `boundaries`, with the conditions that the system has.
[[nodiscard]] Key boundaries_key(Config& config, const KnownSystem& system);

}  // namespace maxwell_dg::config
