#include "apps/simulation/gaps.hpp"

#include <cstdint>

#include "apps/config/named_parts.hpp"
#include "apps/simulation/blame.hpp"

namespace maxwell_dg::simulation {

dg::maxwell::Gap find_gap(const config::Config& config, const dg::Discretization& d, const std::string& key,
                          const std::string& boundary, const std::string& from, const std::string& to) {
  return {.faces = config::surface_faces(config, key + ".boundary", {boundary}, d.mesh).faces,
          .from = config::surface_faces(config, key + ".from", {from}, d.mesh).faces,
          .to = config::surface_faces(config, key + ".to", {to}, d.mesh).faces};
}

void require_conductor(const config::Config& config, const dg::Discretization& d, const dg::Problem& problem,
                       const std::string& key, const std::string& name) {
  for (const dg::ElementFace& face : config::surface_faces(config, key, {name}, d.mesh).faces) {
    if (face.element >= d.own()) continue;
    const std::int32_t n = d.connectivity.neighbours[face.element].at(dg::index(face.face));
    if (n < 0 && condition_at(problem, dg::index(-1 - n)).traits.conducts) continue;
    refuse(config, key, "'" + name + "' is no conductor: give it a boundary of type pec");
  }
}

}  // namespace maxwell_dg::simulation
