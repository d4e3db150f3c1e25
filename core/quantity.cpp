#include "core/quantity.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/suggest.hpp"

namespace maxwell_dg::core {
namespace {

// Exponents of metre, second, kilogram, siemens: as many base units as configs need.
struct Exponents {
  int metre{}, second{}, kilogram{}, siemens{};
  bool operator==(const Exponents&) const = default;
};

struct Unit {
  std::string_view symbol;
  double factor;  // to SI
  Exponents exponents;
  bool takes_prefix;
};

constexpr std::array units{
    Unit{"m", 1.0, {.metre = 1}, true},      Unit{"s", 1.0, {.second = 1}, true},
    Unit{"min", 60.0, {.second = 1}, false}, Unit{"h", 3600.0, {.second = 1}, false},
    Unit{"Hz", 1.0, {.second = -1}, true},   Unit{"S", 1.0, {.siemens = 1}, true},
    Unit{"g", 1e-3, {.kilogram = 1}, true},  Unit{"m^3", 1.0, {.metre = 3}, false},
    Unit{"cm^3", 1e-6, {.metre = 3}, false}, Unit{"ohm", 1.0, {.siemens = -1}, true},
};

struct Prefix {
  std::string_view symbol;
  double factor;
};

// Both code points that look like a Greek mu are in use.
constexpr std::array prefixes{
    Prefix{"f", 1e-15},     Prefix{"p", 1e-12}, Prefix{"n", 1e-9}, Prefix{"u", 1e-6}, Prefix{"\u00b5", 1e-6},
    Prefix{"\u03bc", 1e-6}, Prefix{"m", 1e-3},  Prefix{"c", 1e-2}, Prefix{"d", 1e-1}, Prefix{"k", 1e3},
    Prefix{"M", 1e6},       Prefix{"G", 1e9},   Prefix{"T", 1e12}, Prefix{"P", 1e15},
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
  double factor;
  Exponents exponents;
};

std::optional<Scale> simple_unit(std::string_view text) {
  for (const Unit& unit : units) {
    if (text == unit.symbol) return Scale{unit.factor, unit.exponents};
  }
  for (const Unit& unit : units) {
    if (!unit.takes_prefix || !text.ends_with(unit.symbol)) continue;
    const std::string_view front = text.substr(0, text.size() - unit.symbol.size());
    for (const Prefix& prefix : prefixes) {
      if (front == prefix.symbol) return Scale{prefix.factor * unit.factor, unit.exponents};
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
  return Scale{above->factor / below->factor,
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
  std::string_view rest;
};
std::optional<Front> number_in_front(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) return std::nullopt;
  }
  double value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return Front{value, text.substr(static_cast<std::size_t>(end - text.data()))};
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::vector<std::string> known_units() {
  std::vector<std::string> result;
  for (const Unit& unit : units) {
    result.emplace_back(unit.symbol);
    if (!unit.takes_prefix) continue;
    for (const Prefix& prefix : prefixes) result.push_back(std::string(prefix.symbol) + std::string(unit.symbol));
  }
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
  const auto front = number_in_front(text);
  if (!front || !front->rest.empty()) return std::nullopt;
  return front->value;
}

std::string format_number(double value) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  static_cast<void>(error);  // 32 characters hold every double
  return {text.data(), end};
}

double parse_quantity(std::string_view text, Dimension dimension) {
  const Kind& wanted = kind_of(dimension);
  const std::string a_wanted = "a " + std::string(wanted.name) + " such as " + quoted(wanted.example);
  const std::string_view trimmed = trim(text);
  const auto number = number_in_front(trimmed);
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
                                did_you_mean(unit, known_units()));
  }
  if (!(scale->exponents == wanted.exponents)) {
    std::string found = "has a unit of another kind";
    for (const Kind& kind : kinds) {
      if (kind.exponents == scale->exponents) found = "is a " + std::string(kind.name);
    }
    throw std::invalid_argument(quoted(text) + " " + found + "; allowed: " + a_wanted);
  }
  const double value = number->value * scale->factor;
  if (!std::isfinite(value)) throw std::invalid_argument(quoted(text) + " is too large");
  return value;
}

std::string brief(double value) {
  return format_quantity(value, Dimension::none, 4);
}

std::string format_quantity(double value, Dimension dimension, int digits) {
  const Kind& kind = kind_of(dimension);
  Prefix chosen{"", 1.0};
  // Densities are counted in kg, which already has a prefix; centi and deci are for reading only.
  const bool takes_prefix = dimension != Dimension::none && dimension != Dimension::density;
  if (takes_prefix && value != 0.0 && !(std::abs(value) >= 1.0 && std::abs(value) < 1000.0)) {
    for (const Prefix& prefix : prefixes) {
      if (prefix.symbol == "c" || prefix.symbol == "d") continue;
      const double scaled = std::abs(value) / prefix.factor;
      if (scaled >= 1.0 && scaled < 1000.0) {
        chosen = prefix;
        break;
      }
    }
  }
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value / chosen.factor);
  std::string result = digits >= 17 ? format_number(value / chosen.factor) : std::string(text.data());
  if (kind.unit.empty()) return result;
  return result + " " + std::string(chosen.symbol) + std::string(kind.unit);
}

}  // namespace maxwell_dg::core
