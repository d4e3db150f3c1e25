#include "apps/simulation/gaps.hpp"

#include <cstdint>
#include <variant>
#include <vector>

#include "apps/config/named_parts.hpp"
#include "apps/simulation/blame.hpp"

namespace maxwell_dg::simulation {

namespace {

/// Throws ConfigError at `key` where a face of own elements does not conduct that is of the surface `name`.
void require_conductor(const config::Config& config, const dg::Discretization& d, const dg::Problem& problem,
                       const std::string& key, const std::string& name) {
  for (const dg::ElementFace& face : config::surface_faces(config, key, {name}, d.mesh).faces) {
    if (face.element >= d.own()) continue;
    const std::int32_t n = d.connectivity.neighbours[face.element].at(dg::index(face.face));
    if (n < 0 && condition_at(problem, dg::index(-1 - n)).traits.conducts) continue;
    refuse(config, key, "'" + name + "' is no conductor: give it a boundary of type pec or impedance");
  }
}

}  // namespace

dg::maxwell::Gap find_gap(const config::Config& config, const dg::Discretization& d, const std::string& key,
                          const std::string& boundary, const std::string& from, const std::string& to) {
  const auto faces_of = [&](const std::string& end, const std::string& surface) {
    std::vector<dg::ElementFace> faces = config::surface_faces(config, key + end, {surface}, d.mesh).faces;
    std::erase_if(faces, [&](const dg::ElementFace& face) {
      return d.complex_view.part(face.element) == dg::FieldPart::imaginary;
    });
    return faces;
  };
  return {.faces = faces_of(".boundary", boundary), .from = faces_of(".from", from), .to = faces_of(".to", to)};
}

void require_conductors(const config::Config& config, const dg::Discretization& d, const dg::Problem& problem) {
  const auto require = [&](const std::string& key, std::size_t entry, const auto& of) {
    require_conductor(config, d, problem, key + std::to_string(entry) + ".from", of.from);
    require_conductor(config, d, problem, key + std::to_string(entry) + ".to", of.to);
  };
  for (std::size_t p = 0; p < config.ports.size(); ++p) {
    const auto* lumped = std::get_if<config::LumpedPort>(&config.ports[p].kind);
    if (lumped != nullptr) require("ports.", p, *lumped);
  }
  for (std::size_t i = 0; i < config.elements.size(); ++i) require("elements.", i, config.elements[i]);
}

}  // namespace maxwell_dg::simulation
