#pragma once

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

/// The keys of the simulated time: when a run ends.
namespace maxwell_dg::config {

[[nodiscard]] Key time_key(Config& config);

/// What an end needs of other keys: `periods` a frequency, `until` sources that end and outputs that do without a known
/// end.
void check_time(const Config& config, Reader& reader);

}  // namespace maxwell_dg::config
