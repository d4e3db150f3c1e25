#pragma once

#include <array>
#include <map>
#include <string>
#include <variant>
#include <vector>

/// What values of a config are made of.
namespace maxwell_dg::config {

enum class Units { si, normalized };

/// What stands behind numbers of a config in SI, " m", and nothing where there are no units.
[[nodiscard]] constexpr const char* unit_in(Units units, const char* si) {
  return units == Units::si ? si : "";
}

/// An expression of x, y, z (t where it makes sense) and the constants; its syntax and names are already checked.
using Formula = std::string;

/// Formulas of the components of each field: "E" -> [Ex, Ey, Ez]; a scalar field has one.
using FieldFormulas = std::map<std::string, std::vector<Formula>>;

/// Names of volume regions or surfaces; "*" stands for all that no other entry names.
using RegionNames = std::vector<std::string>;

using Vector3 = std::array<double, 3>;

/// The word by which a config names the kind that a variant holds.
template <class... Kinds>
[[nodiscard]] std::string word_of(const std::variant<Kinds...>& variant) {
  return std::visit([](const auto& kind) -> std::string { return kind.type; }, variant);
}

}  // namespace maxwell_dg::config
