#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "apps/config/config.hpp"
#include "core/quantity.hpp"

/// Numbers without a unit are SI units. Where such a number makes no sense, these say which unit was probably left out.
namespace maxwell_dg::config {

/// A unit in which people often give numbers.
struct UsualUnit {
  std::string_view symbol;
  double factor;              ///< to the SI unit
  std::string_view plural{};  ///< of lengths: "millimetres"
};
/// The usual units of lengths, times or frequencies besides the SI unit, the most usual first; none of other
/// dimensions.
[[nodiscard]] std::span<const UsualUnit> usual_units(core::Dimension dimension);

/// How strange a value is: 0 at the usual one, 1 where it is `factor` times larger or smaller.
[[nodiscard]] double strangeness(double value, double usual, double factor);

/// "; did you mean '2 ns'?": with the unit that makes the value the least strange, at most 1. "" where none does, and
/// with normalized units. For lengths, times and frequencies.
[[nodiscard]] std::string guess_of_unit(const Config& config, double number, core::Dimension dimension,
                                        const std::function<double(double)>& how_strange);

/// "; numbers without a unit are metres: did you mean ["20 mm", 0, 0]?": of a point under `key`, whose coordinates
/// without a unit are in the units of mesh.scale, or in mm, um, nm or cm. "" where none of these takes it inside.
[[nodiscard]] std::string guess_of_units(const Config& config, const std::string& key, const Vector3& point,
                                         const std::function<bool(const Vector3&)>& is_inside);

}  // namespace maxwell_dg::config
