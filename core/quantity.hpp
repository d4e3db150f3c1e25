#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Numbers with units, as users write them: "1.5 mm", "20 ns", "3 GHz", "5 mS/m".
namespace maxwell_dg::core {

enum class Dimension {
  none,
  length,
  time,
  frequency,
  conductivity,
  impedance,
  inductance,
  capacitance,
  speed,
  density
};

/// "length", "frequency" ...; "number" for none.
[[nodiscard]] std::string_view name_of(Dimension dimension);
/// The SI unit: "m", "Hz", "S/m" ...; "" for none.
[[nodiscard]] std::string_view unit_of(Dimension dimension);
/// A text that parse_quantity takes: "1.5 mm".
[[nodiscard]] std::string_view example_of(Dimension dimension);

/// The whole text as a finite decimal number, independent of the locale; nothing if it is none.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// The shortest text that reads back to the same number.
[[nodiscard]] std::string format_number(double value);

/// The nearest number of 15 decimal digits: 8.2e9 where a conversion there and back has left 8199999999.999999.
[[nodiscard]] double rounded(double value);

/// Four digits, for people: printf's %.4g.
[[nodiscard]] std::string brief(double value);

/// "1.5 mm" -> 0.0015, the double nearest to that: a number, then a unit with an SI prefix if wanted, then maybe
/// "/unit". Throws std::invalid_argument saying what is wrong: no number, no or an unknown unit, a unit of another
/// dimension.
[[nodiscard]] double parse_quantity(std::string_view text, Dimension dimension);

/// 0.0015 -> "1.5 mm": with the prefix that leaves 1 to 999 before the point, f to P; without one beyond these. Reads
/// back to the same number. With few digits (as printf's %g rounds) for people.
[[nodiscard]] std::string format_quantity(double value, Dimension dimension, int digits = 17);
/// The same with any unit: "3.1 pJ". Without a unit: the number.
[[nodiscard]] std::string with_prefix(double value, std::string_view unit, int digits = 4);

}  // namespace maxwell_dg::core
