#include "apps/simulation/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace maxwell_dg::simulation {

std::string frequency_text(double frequency, config::Units units) {
  return with_prefix(frequency, unit_in(units, "Hz"));
}

std::string time_text(double time, config::Units units) {
  return with_prefix(time, unit_in(units, "s"));
}

std::string length_text(double length, config::Units units) {
  return with_prefix(length, unit_in(units, "m"));
}

std::string bytes_text(std::size_t bytes) {
  constexpr std::array<const char*, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  return brief(value) + " " + units[unit];
}

std::string clock_text(double seconds) {
  const long s = std::lround(std::clamp(seconds, 0.0, 1e9));
  std::array<char, 32> text{};
  if (s < 3600) {
    std::snprintf(text.data(), text.size(), "%ld:%02ld", s / 60, s % 60);
  } else {
    std::snprintf(text.data(), text.size(), "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  }
  return text.data();
}

}  // namespace maxwell_dg::simulation
