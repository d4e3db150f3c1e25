#include "apps/config/materials/loss_tangent.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <variant>

#include "apps/config/materials/material_table.hpp"
#include "core/counted.hpp"
#include "core/quantity.hpp"
#include "dg/maxwell/loss_tangent.hpp"

namespace maxwell_dg::config {
namespace {

using core::Dimension;

/// Of the key, or else of the table; 0 where neither has one.
double value_of(const Material& material) {
  if (material.loss_tangent->value) return *material.loss_tangent->value;
  const KnownMaterial* known = material.name ? known_material(*material.name) : nullptr;
  return known == nullptr ? 0.0 : known->loss_tangent;
}

dg::maxwell::LossyMedium medium_of(const Material& material) {
  const LossTangent& losses = *material.loss_tangent;
  return dg::maxwell::with_loss_tangent({.value = value_of(material),
                                         .from = losses.from,
                                         .to = losses.to,
                                         .at = losses.at.value_or(std::sqrt(losses.from * losses.to))});
}

double epsilon_of(const Material& material) {
  return std::get<double>(material.constants.at("epsilon_r").components.front());
}

std::string describe(const Material& material) {
  const LossTangent& losses = *material.loss_tangent;
  const dg::maxwell::LossyMedium medium = medium_of(material);
  const auto epsilon_at = [&](double frequency) {
    return core::brief(epsilon_of(material) * medium.real_part(frequency));
  };
  return core::brief(value_of(material)) + " within " + core::brief(std::ceil(1000 * medium.error) / 10) + " % by " +
         core::counted(medium.poles.size(), "Debye pole", "Debye poles") + "; epsilon_r falls from " +
         epsilon_at(losses.from) + " to " + epsilon_at(losses.to) + " in the band";
}

}  // namespace

Key loss_tangent_key(Material& m) {
  const auto keys = [](LossTangent& losses) {
    return Object{
        .keys = {{"value", optional(losses.value, [](double& value) { return positive(value); }),
                  "imaginary over real part of the permittivity, the same in all of the band; default: that of `name`"},
                 {"from", positive(losses.from, Dimension::frequency), "lower end of the band", required},
                 {"to", positive(losses.to, Dimension::frequency), "upper end of the band", required},
                 {"at", optional(losses.at, [](double& at) { return positive(at, Dimension::frequency); }),
                  "frequency of the band at which `epsilon_r` is the real part; default: the geometric mean of its "
                  "ends"}},
        .instead_of_mapping = "a loss tangent holds in a band: {value: 0.02, from: \"1 GHz\", to: \"10 GHz\"}",
        .check = [&losses](Reader& reader) {
          if (!(losses.to > losses.from)) reader.error(reader.place_of("to"), "must be above from", "to");
          if (losses.at && !(*losses.at >= losses.from && *losses.at <= losses.to)) {
            reader.error(reader.place_of("at"), "must be in the band, from `from` to `to`", "at");
          }
        }};
  };
  return {"loss_tangent", optional(m.loss_tangent, [keys](LossTangent& losses) { return object(keys(losses)); }),
          "losses of a dielectric as data sheets give them, by poles that are fitted to them: within 3 % of the value. "
          "`epsilon_r` is a number then, and holds in the band"};
}

void check_loss_tangent(const Material& material, Reader& reader) {
  if (!material.loss_tangent) return;
  const std::string key = "loss_tangent";
  const auto error = [&](const std::string& text) { reader.error(reader.place_of(key), text, key); };
  if (!material.dispersion.empty()) return error("and dispersion are two descriptions of losses; give one");
  const auto is_number = [&](const std::string& constant) {
    const std::vector<NumberByPlace>& components = material.constants.at(constant).components;
    return components.size() == 1 && std::holds_alternative<double>(components.front());
  };
  if (!is_number("epsilon_r")) return error("needs an epsilon_r that is a number; other media have dispersion");
  if (!is_number("sigma") || std::get<double>(material.constants.at("sigma").components.front()) != 0) {
    return error("has the losses by conduction in it; leave sigma out");
  }
  if (value_of(material) <= 0) {
    return error(material.name ? "needs a `value`: " + *material.name + " has none in the table of materials"
                               : "needs a `value`, or the `name` of a material that has one in the table");
  }
  try {
    static_cast<void>(medium_of(material));
  } catch (const std::invalid_argument& wrong) {
    error(wrong.what());
  }
}

bool is_dispersive(const Material& material) {
  return !material.dispersion.empty() || material.loss_tangent;
}

std::vector<Pole> poles_of(const Material& material) {
  if (!material.loss_tangent) return material.dispersion;
  const dg::maxwell::LossyMedium medium = medium_of(material);
  std::vector<Pole> poles;
  for (const dg::maxwell::Pole& pole : medium.poles) {
    poles.push_back(
        {.model = Pole::Model::debye, .delta_epsilon = pole.strength * epsilon_of(material), .tau = 1 / pole.rate});
  }
  return poles;
}

std::vector<NumberByPlace> components_of(const Material& material, const std::string& constant) {
  if (!material.loss_tangent || constant != "epsilon_r") return material.constants.at(constant).components;
  return {epsilon_of(material) * medium_of(material).at_infinity};
}

std::vector<std::pair<std::string, std::string>> describe_loss_tangents(const Config& config) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Material& material : config.materials) {
    if (!material.loss_tangent) continue;
    all.emplace_back("loss tangent of '" + joined(material.region, "', '") + "'", describe(material));
  }
  return all;
}

}  // namespace maxwell_dg::config
