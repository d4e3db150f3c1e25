#pragma once

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {

/// The keys `sources`, and `pml` for the waves that they send out.
[[nodiscard]] Key sources_key(Config& config);
[[nodiscard]] Key pml_key(Config& config);

}  // namespace maxwell_dg::config
