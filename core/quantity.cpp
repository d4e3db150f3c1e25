#include "core/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/suggest.hpp"
#include "core/syntax/lexer.hpp"

namespace maxwell_dg::core {
namespace {

// Exponents of metre, second, kilogram, siemens: as many base units as configs need.
struct Exponents {
  int metre{}, second{}, kilogram{}, siemens{};
  bool operator==(const Exponents&) const = default;
};

struct Unit {
  std::string_view symbol;
  int power;    // of ten, to SI
  double rest;  // what is no power of ten
  Exponents exponents;
  bool takes_prefix;
};

constexpr std::array units{
    Unit{"m", 0, 1.0, {.metre = 1}, true},
    Unit{"s", 0, 1.0, {.second = 1}, true},
    Unit{"min", 0, 60.0, {.second = 1}, false},
    Unit{"h", 0, 3600.0, {.second = 1}, false},
    Unit{"Hz", 0, 1.0, {.second = -1}, true},
    Unit{"S", 0, 1.0, {.siemens = 1}, true},
    Unit{"g", -3, 1.0, {.kilogram = 1}, true},
    Unit{"m^3", 0, 1.0, {.metre = 3}, false},
    Unit{"cm^3", -6, 1.0, {.metre = 3}, false},
    Unit{"ohm", 0, 1.0, {.siemens = -1}, true},
    Unit{"H", 0, 1.0, {.second = 1, .siemens = -1}, true},
    Unit{"F", 0, 1.0, {.second = 1, .siemens = 1}, true},
};

struct Prefix {
  std::string_view symbol;
  int power;  // of ten
};

// Both code points that look like a Greek mu are in use.
constexpr std::array prefixes{
    Prefix{"f", -15},     Prefix{"p", -12}, Prefix{"n", -9}, Prefix{"u", -6}, Prefix{"\u00b5", -6},
    Prefix{"\u03bc", -6}, Prefix{"m", -3},  Prefix{"c", -2}, Prefix{"d", -1}, Prefix{"k", 3},
    Prefix{"M", 6},       Prefix{"G", 9},   Prefix{"T", 12}, Prefix{"P", 15},
};

struct Kind {
  Dimension dimension;
  std::string_view name, unit, example;
  Exponents exponents;
};

constexpr std::array kinds{
    Kind{Dimension::none, "number", "", "1.5", {}},
    Kind{Dimension::length, "length", "m", "1.5 mm", {.metre = 1}},
    Kind{Dimension::time, "time", "s", "20 ns", {.second = 1}},
    Kind{Dimension::frequency, "frequency", "Hz", "3 GHz", {.second = -1}},
    Kind{Dimension::conductivity, "conductivity", "S/m", "5 mS/m", {.metre = -1, .siemens = 1}},
    Kind{Dimension::impedance, "impedance", "ohm", "50 ohm", {.siemens = -1}},
    Kind{Dimension::inductance, "inductance", "H", "2 nH", {.second = 1, .siemens = -1}},
    Kind{Dimension::capacitance, "capacitance", "F", "3 pF", {.second = 1, .siemens = 1}},
    Kind{Dimension::speed, "speed", "m/s", "1.5 km/s", {.metre = 1, .second = -1}},
    Kind{Dimension::density, "density", "kg/m^3", "1.2 kg/m^3", {.metre = -3, .kilogram = 1}},
};

const Kind& kind_of(Dimension dimension) {
  for (const Kind& kind : kinds) {
    if (kind.dimension == dimension) return kind;
  }
  throw std::logic_error("a dimension without an entry in the table of kinds");
}

struct Scale {
  int power;    // of ten
  double rest;  // times that
  Exponents exponents;
};

std::optional<Scale> simple_unit(std::string_view text) {
  for (const Unit& unit : units) {
    if (text == unit.symbol) return Scale{unit.power, unit.rest, unit.exponents};
  }
  for (const Unit& unit : units) {
    if (!unit.takes_prefix || !text.ends_with(unit.symbol)) continue;
    const std::string_view front = text.substr(0, text.size() - unit.symbol.size());
    for (const Prefix& prefix : prefixes) {
      if (front == prefix.symbol) return Scale{prefix.power + unit.power, unit.rest, unit.exponents};
    }
  }
  return std::nullopt;
}

std::optional<Scale> unit_scale(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto above = simple_unit(text.substr(0, slash));
  if (!above || slash == std::string_view::npos) return above;
  const auto below = simple_unit(text.substr(slash + 1));
  if (!below) return std::nullopt;
  const Exponents& a = above->exponents;
  const Exponents& b = below->exponents;
  return Scale{above->power - below->power,
               above->rest / below->rest,
               {a.metre - b.metre, a.second - b.second, a.kilogram - b.kilogram, a.siemens - b.siemens}};
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The number at the front of a text, and what follows it.
struct Front {
  double value;
  std::string_view text, rest;
};
std::optional<Front> number_with_sign(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const NumberText number = number_in_front(text.substr(sign));
  if (number.length == 0 || !number.is_in_range) return std::nullopt;
  const std::size_t length = sign + number.length;
  return Front{sign == 1 ? -number.real : number.real, text.substr(0, length), text.substr(length)};
}

// The number times a power of ten, rounded once: 8.2 GHz is 8200000000 Hz, which 8.2 times 1e9 is not.
double times_power_of_ten(const Front& number, int power) {
  const std::size_t e = number.text.find_first_of("eE");
  int exponent = 0;
  if (e != std::string_view::npos) {
    const std::string_view digits = number.text.substr(number.text[e + 1] == '+' ? e + 2 : e + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);  // it is in the range of a double's
  }
  const std::string text = std::string(number.text.substr(0, e)) + "e" + std::to_string(exponent + power);
  double value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  static_cast<void>(end);
  return error == std::errc{} ? value : number.value * std::pow(10.0, power);  // infinite, or next to zero
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// Units of this kind, those of every day first: 'MHZ' means MHz rather than mHz.
std::vector<std::string> units_of(const Kind& kind) {
  std::vector<std::string> result;
  switch (kind.dimension) {
    case Dimension::length: result = {"m", "mm", "cm", "um", "nm", "km"}; break;
    case Dimension::time: result = {"s", "ns", "ps", "fs", "us", "ms"}; break;
    case Dimension::frequency: result = {"Hz", "GHz", "MHz", "kHz", "THz"}; break;
    case Dimension::conductivity: result = {"S/m", "mS/m", "kS/m", "MS/m"}; break;
    case Dimension::inductance: result = {"H", "nH", "uH", "pH"}; break;
    case Dimension::capacitance: result = {"F", "pF", "nF", "fF"}; break;
    case Dimension::speed: result = {"m/s", "km/s"}; break;
    case Dimension::density: result = {"kg/m^3", "g/cm^3"}; break;
    default: break;
  }
  for (const Unit& unit : units) {
    if (!(unit.exponents == kind.exponents)) continue;
    result.emplace_back(unit.symbol);
    if (!unit.takes_prefix) continue;
    for (const Prefix& prefix : prefixes) result.push_back(std::string(prefix.symbol) + std::string(unit.symbol));
  }
  return result;
}

// What people write for a unit that is known by its symbol alone.
struct OtherName {
  std::string_view name, known;
};
constexpr std::array other_names{
    OtherName{"sec", "s"},         OtherName{"second", "s"},       OtherName{"seconds", "s"},
    OtherName{"msec", "ms"},       OtherName{"usec", "us"},        OtherName{"nsec", "ns"},
    OtherName{"psec", "ps"},       OtherName{"minutes", "min"},    OtherName{"hours", "h"},
    OtherName{"metre", "m"},       OtherName{"meter", "m"},        OtherName{"metres", "m"},
    OtherName{"meters", "m"},      OtherName{"micron", "um"},      OtherName{"microns", "um"},
    OtherName{"in", "25.4 mm"},    OtherName{"inch", "25.4 mm"},   OtherName{"inches", "25.4 mm"},
    OtherName{"mil", "0.0254 mm"}, OtherName{"mils", "0.0254 mm"}, OtherName{"ft", "0.3048 m"},
    OtherName{"hertz", "Hz"},      OtherName{"gigahertz", "GHz"},  OtherName{"megahertz", "MHz"},
    OtherName{"\u03a9", "ohm"},    OtherName{"\u2126", "ohm"},     OtherName{"ohms", "ohm"},
    OtherName{"siemens/m", "S/m"}, OtherName{"1/(ohm m)", "S/m"},  OtherName{"1/ohm/m", "S/m"},
    OtherName{"k\u03a9", "kohm"},  OtherName{"k\u2126", "kohm"},   OtherName{"angstrom", "0.1 nm"},
};

std::string unit_hint(std::string_view unit, const Kind& wanted) {
  if (unit.starts_with(',')) return "; decimals are written with a point, as in '1.5'";
  std::string lower(unit);
  for (char& c : lower) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const OtherName& other : other_names) {
    if (lower == other.name) return "; did you mean '" + std::string(other.known) + "'?";
  }
  return did_you_mean(unit, units_of(wanted));
}

// "8.2e+09" as digits and exponent: of the shortest text that reads back, or of so many digits.
struct Decimal {
  std::string sign, digits;  // without zeros at the end
  int exponent{};            // of the first digit
};
Decimal decimal_of(double value, int digits) {
  constexpr int enough = 17;
  std::array<char, 48> text{};
  if (digits >= enough) {
    std::to_chars(text.data(), text.data() + text.size() - 1, value, std::chars_format::scientific);
  } else {
    std::snprintf(text.data(), text.size(), "%.*e", std::max(digits - 1, 0), value);
  }
  std::string_view rest(text.data());
  Decimal result;
  if (rest.starts_with('-')) {
    result.sign = "-";
    rest.remove_prefix(1);
  }
  const std::size_t e = rest.find('e');
  for (const char c : rest.substr(0, e)) {
    if (c != '.') result.digits += c;
  }
  while (result.digits.size() > 1 && result.digits.back() == '0') result.digits.pop_back();
  const std::string_view exponent = rest.substr(rest[e + 1] == '+' ? e + 2 : e + 1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.exponent);
  return result;
}

}  // namespace

std::string_view name_of(Dimension dimension) {
  return kind_of(dimension).name;
}
std::string_view unit_of(Dimension dimension) {
  return kind_of(dimension).unit;
}
std::string_view example_of(Dimension dimension) {
  return kind_of(dimension).example;
}

std::optional<double> parse_number(std::string_view text) {
  const auto front = number_with_sign(text);
  if (!front || !front->rest.empty()) return std::nullopt;
  return front->value;
}

std::string format_number(double value) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  static_cast<void>(error);  // 32 characters hold every double
  return {text.data(), end};
}

double rounded(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.15g", value);
  return parse_number(text.data()).value_or(value);  // infinite ones stay
}

double parse_quantity(std::string_view text, Dimension dimension) {
  const Kind& wanted = kind_of(dimension);
  const std::string a_wanted = "a " + std::string(wanted.name) + " such as " + quoted(wanted.example);
  const std::string_view trimmed = trim(text);
  const auto number = number_with_sign(trimmed);
  if (!number) throw std::invalid_argument(quoted(text) + " does not start with a number; allowed: " + a_wanted);
  const std::string_view unit = trim(number->rest);
  if (dimension == Dimension::none) {
    if (unit.empty()) return number->value;
    throw std::invalid_argument(quoted(text) + " has a unit; a number without one is needed");
  }
  if (unit.empty()) throw std::invalid_argument(quoted(text) + " has no unit; allowed: " + a_wanted);
  const auto scale = unit_scale(unit);
  if (!scale) {
    throw std::invalid_argument(quoted(text) + " has the unknown unit " + quoted(unit) + "; allowed: " + a_wanted +
                                unit_hint(unit, wanted));
  }
  if (!(scale->exponents == wanted.exponents)) {
    std::string found = "has a unit of another kind";
    for (const Kind& kind : kinds) {
      if (kind.exponents == scale->exponents) found = "is a " + std::string(kind.name);
    }
    throw std::invalid_argument(quoted(text) + " " + found + "; allowed: " + a_wanted);
  }
  const double value = times_power_of_ten(*number, scale->power) * scale->rest;
  if (!std::isfinite(value)) throw std::invalid_argument(quoted(text) + " is too large");
  return value;
}

std::string brief(double value) {
  return format_quantity(value, Dimension::none, 4);
}

std::string with_prefix(double value, std::string_view unit, int digits) {
  const auto behind = [&](const std::string& number, std::string_view prefix) {
    return unit.empty() ? number : number + " " + std::string(prefix) + std::string(unit);
  };
  std::array<char, 40> plain{};
  std::snprintf(plain.data(), plain.size(), "%.*g", digits, value);
  if (unit.empty() || value == 0 || !std::isfinite(value)) return behind(plain.data(), "");
  const Decimal decimal = decimal_of(value, digits);
  const int power = decimal.exponent - ((decimal.exponent % 3) + 3) % 3;
  const auto suits = [&](const Prefix& prefix) { return prefix.power == power; };
  const auto* const found = std::find_if(prefixes.begin(), prefixes.end(), suits);
  if (power != 0 && found == prefixes.end()) return behind(digits >= 17 ? format_number(value) : plain.data(), "");
  std::string number = decimal.digits;
  const auto whole = static_cast<std::size_t>(decimal.exponent - power + 1);
  if (number.size() < whole) number.resize(whole, '0');
  if (number.size() > whole) number.insert(whole, ".");
  return behind(decimal.sign + number, power == 0 ? std::string_view() : found->symbol);
}

std::string format_quantity(double value, Dimension dimension, int digits) {
  const Kind& kind = kind_of(dimension);
  // Densities are counted in kg, which already has a prefix.
  if (dimension != Dimension::none && dimension != Dimension::density) return with_prefix(value, kind.unit, digits);
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  const std::string number = digits >= 17 ? format_number(value) : std::string(text.data());
  return kind.unit.empty() ? number : number + " " + std::string(kind.unit);
}

}  // namespace maxwell_dg::core
