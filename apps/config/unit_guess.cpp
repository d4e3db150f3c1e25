#include "apps/config/unit_guess.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace maxwell_dg::config {
namespace {

constexpr std::array times{UsualUnit{"ns", 1e-9}, UsualUnit{"ps", 1e-12}, UsualUnit{"us", 1e-6}, UsualUnit{"fs", 1e-15},
                           UsualUnit{"ms", 1e-3}};
constexpr std::array frequencies{UsualUnit{"GHz", 1e9}, UsualUnit{"MHz", 1e6}, UsualUnit{"THz", 1e12},
                                 UsualUnit{"kHz", 1e3}};
constexpr std::array lengths{UsualUnit{"mm", 1e-3, "millimetres"}, UsualUnit{"um", 1e-6, "micrometres"},
                             UsualUnit{"nm", 1e-9, "nanometres"}, UsualUnit{"cm", 1e-2, "centimetres"}};

}  // namespace

std::span<const UsualUnit> usual_units(core::Dimension dimension) {
  switch (dimension) {
    case core::Dimension::time: return times;
    case core::Dimension::frequency: return frequencies;
    case core::Dimension::length: return lengths;
    default: return {};
  }
}

double strangeness(double value, double usual, double factor) {
  return std::abs(std::log(value / usual)) / std::log(factor);
}

std::string guess_of_unit(const Config& config, double number, core::Dimension dimension,
                          const std::function<double(double)>& how_strange) {
  const std::span<const UsualUnit> units = usual_units(dimension);
  if (config.units != Units::si || units.empty()) return "";
  const auto best =
      std::ranges::min_element(units, {}, [&](const UsualUnit& u) { return how_strange(number * u.factor); });
  if (!(how_strange(number * best->factor) <= 1)) return "";
  return "; did you mean '" + core::brief(number) + " " + std::string(best->symbol) + "'?";
}

std::string guess_of_units(const Config& config, const std::string& key, const Vector3& point,
                           const std::function<bool(const Vector3&)>& is_inside) {
  if (config.units != Units::si) return "";
  const auto is_bare = [&](std::size_t axis) {
    return point[axis] != 0 && !config.with_unit.contains(key + "." + std::to_string(axis));
  };
  /// `text_of` a coordinate without a unit, if all of these times `factor` are meant.
  const auto attempt = [&](double factor, const auto& text_of) -> std::optional<std::string> {
    Vector3 scaled = point;
    std::string list;
    bool differs = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (is_bare(axis)) scaled[axis] *= factor;
      differs = differs || is_bare(axis);
      const std::string text =
          is_bare(axis) ? text_of(point[axis]) : core::format_quantity(point[axis], core::Dimension::length, 4);
      list += (axis == 0 ? "" : ", ") + (point[axis] == 0 ? "0" : "\"" + text + "\"");
    }
    if (!differs || !is_inside(scaled)) return std::nullopt;
    return "; numbers without a unit are metres: did you mean [" + list + "]?";
  };
  const double scale = config.mesh.scale.value_or(1);
  if (scale != 1) {
    const auto in_mesh_units = [&](double x) { return core::format_quantity(x * scale, core::Dimension::length, 4); };
    if (const auto guess = attempt(scale, in_mesh_units)) return *guess;
  }
  for (const UsualUnit& unit : lengths) {
    const auto with_unit = [&](double x) { return core::brief(x) + " " + std::string(unit.symbol); };
    if (const auto guess = attempt(unit.factor, with_unit)) return *guess;
  }
  return "";
}

}  // namespace maxwell_dg::config
