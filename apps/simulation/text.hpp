#pragma once

#include <cstddef>
#include <string>

#include "apps/config/config.hpp"
#include "core/quantity.hpp"

namespace maxwell_dg::simulation {

using core::brief;
using core::with_prefix;

/// "1.25 GHz", in normalized units a number.
[[nodiscard]] std::string frequency_text(double frequency, config::Units units);
/// "2.5 ns" and "1.2 mm", in normalized units numbers.
[[nodiscard]] std::string time_text(double time, config::Units units);
[[nodiscard]] std::string length_text(double length, config::Units units);
/// "1.5 GiB".
[[nodiscard]] std::string bytes_text(std::size_t bytes);
/// "0:12", "3:07:45".
[[nodiscard]] std::string clock_text(double seconds);

}  // namespace maxwell_dg::simulation
