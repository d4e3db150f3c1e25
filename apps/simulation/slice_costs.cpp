#include "apps/simulation/slice_costs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "apps/config/materials/loss_tangent.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/pml_region.hpp"
#include "dg/partition/element_costs.hpp"

namespace maxwell_dg::simulation {

namespace {

constexpr double of_a_slab = 6, of_an_edge = 12;  // auxiliary variables of a PML (dg/maxwell/pml.hpp)

bool names(const config::RegionNames& regions, const std::string& name) {
  return std::ranges::find(regions, name) != regions.end();
}

/// Of the poles of a material.
double variables_of(const config::Material& material) {
  double variables = 0;
  for (const config::Pole& pole : config::poles_of(material)) {
    variables += pole.model == config::Pole::Model::lorentz ? 6 : 3;
  }
  return variables;
}

/// [region + 1] Auxiliary variables of its medium and of a PML that is a region.
std::vector<double> variables_of_regions(const config::Config& config, const std::vector<std::string>& regions) {
  std::vector<double> variables;
  for (std::size_t region = 0; region <= regions.size(); ++region) {
    const std::string name = region == 0 ? "*" : regions[region - 1];
    const auto names_it = [&](const config::Material& m) { return names(m.region, name); };
    auto material = std::ranges::find_if(config.materials, names_it);
    if (material == config.materials.end()) {
      material = std::ranges::find_if(config.materials, [](const auto& m) { return names(m.region, "*"); });
    }
    double& of_region = variables.emplace_back(material == config.materials.end() ? 0 : variables_of(*material));
    const bool is_pml = config.pml && (names(config.pml->region, name) || names(config.pml->region, "*"));
    if (is_pml) of_region += of_a_slab;
  }
  return variables;
}

/// [axis][low, high] Which sides of a box have a boundary of type pml.
std::array<std::array<bool, 2>, 3> sides_with_layers(const config::Config& config) {
  std::array<std::array<bool, 2>, 3> sides{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t end = 0; end < 2; ++end) {
      const std::string side = std::string(1, "xyz"[axis]) + (end == 0 ? "_min" : "_max");
      const auto names_it = [&](const config::Boundary& b) { return names(b.region, side); };
      const bool is_named = std::ranges::any_of(config.boundaries, names_it);
      sides.at(axis).at(end) = std::ranges::any_of(config.boundaries, [&](const config::Boundary& b) {
        return std::holds_alternative<config::PmlSide>(b.kind) && (is_named ? names_it(b) : names(b.region, "*"));
      });
    }
  }
  return sides;
}

/// Of a cell in the layers of a box.
double variables_in_layers(const config::Config& config, const std::array<std::array<bool, 2>, 3>& sides,
                           double thickness, const dg::Point& x) {
  const config::MeshBox& box = *config.mesh.box;
  int axes = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool low = sides.at(axis)[0] && x[axis] < box.min[axis] + thickness;
    const bool high = sides.at(axis)[1] && x[axis] > box.max[axis] - thickness;
    if (low || high) ++axes;
  }
  return axes == 0 ? 0 : axes == 1 ? of_a_slab : of_an_edge;
}

}  // namespace

dg::CellCost cell_cost(const config::Config& config, const dg::MeshRows::Content& content, bool is_cpu) {
  const bool has_layers = config.mesh.box && has_pml(config) && !config.pml;
  const double thickness = has_layers ? thickness_of_pml(config) : 0, curved = dg::curved_cost(is_cpu);
  return [&config, variables = variables_of_regions(config, content.regions), sides = sides_with_layers(config),
          has_layers, thickness, curved,
          auxiliary = dg::auxiliary_cost(is_cpu)](std::int32_t region, bool is_curved, const dg::Point& centroid) {
    double count = variables.at(static_cast<std::size_t>(region + 1));
    if (has_layers) count += variables_in_layers(config, sides, thickness, centroid);
    return (1 + auxiliary * count) * (is_curved ? curved : 1);
  };
}

}  // namespace maxwell_dg::simulation
