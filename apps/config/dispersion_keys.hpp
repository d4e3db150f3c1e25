#pragma once

#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {

/// The key `dispersion` of a material.
[[nodiscard]] Key dispersion_key(std::vector<Pole>& poles);

/// The words for the models of a pole: "debye" ...
[[nodiscard]] std::vector<std::string> pole_models();

}  // namespace maxwell_dg::config
