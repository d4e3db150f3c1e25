#pragma once

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {

/// The key `boundaries`, with the conditions that the system has.
[[nodiscard]] Key boundaries_key(Config& config, const KnownSystem& system);

/// The key `symmetry`, and the check that its planes are different ones.
[[nodiscard]] Key symmetry_key(Config& config);
void check_symmetry(const Config& config, Reader& reader);

}  // namespace maxwell_dg::config
