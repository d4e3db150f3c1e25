#pragma once

#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {

/// The key `dispersion` of a material.
[[nodiscard]] Key dispersion_key(std::vector<Pole>& poles);

}  // namespace maxwell_dg::config
