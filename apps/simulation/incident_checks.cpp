#include "apps/simulation/incident_checks.hpp"

#include <cmath>

#include "apps/config/resolve.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/text.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/mesh/quality.hpp"

namespace maxwell_dg {
namespace {

constexpr double parallel = 1e-4;  // sine of an angle that mesh and config may be off

std::string place_of(const Scene& scene, std::size_t k) {
  return dg::where_is(scene.d.mesh, k, scene.config.units == config::Units::si ? " m" : "");
}

dg::Point normal_of(const dg::Discretization& d, std::size_t k, std::int32_t face) {
  const dg::Geometry::Face& g = d.geometry.faces[k].at(dg::index(face));
  return {g.nx, g.ny, g.nz};
}

dg::Point centre_of(const dg::Discretization& d, const dg::Connectivity::BoundaryFace& face) {
  const auto& [a, b, c] = dg::face_vertices.at(dg::index(face.face));
  const auto& cell = d.mesh.cells[dg::index(face.cell)];
  return centroid(d.mesh, std::array{cell.at(a), cell.at(b), cell.at(c)});
}

std::string name_of(const Scene& scene, const dg::Connectivity::BoundaryFace& face) {
  return face.surface < 0 ? "a surface without a name" : "'" + scene.d.mesh.surfaces[dg::index(face.surface)] + "'";
}

/// Does the incident wave by itself fulfil the condition at a wall with this normal?
bool fits(const dg::System::Traits& condition, const dg::Point& n, const config::Source& wave) {
  const dg::Point H = dg::cross(wave.direction, wave.polarization);
  const auto is_along = [&](const dg::Point& field) {
    return dg::length(dg::cross(n, field)) < parallel * dg::length(field);
  };
  return (condition.no_tangential == "E" && is_along(wave.polarization)) ||
         (condition.no_tangential == "H" && is_along(H));
}

/// The mean of the corners of a surface's faces: of surfaces meshed alike, they differ by the period.
dg::Point middle_of(const Scene& scene, const std::string& key, const std::string& surface) {
  dg::Point sum{};
  double count = 0;
  for (const dg::ElementFace& face : config::surface_faces(scene.config, key, {surface}, scene.d.mesh).faces) {
    sum = dg::plus(sum, centre_of(scene.d, {static_cast<std::int32_t>(face.element), face.face, -1}));
    ++count;
  }
  for (double& x : sum) x /= count;
  return sum;
}

/// A wall that a wave meets: no end of open space, and none that the wave runs along.
bool is_obstacle(const Scene& scene, std::size_t b, const config::Source& wave) {
  const auto& face = scene.d.connectivity.boundary_faces[b];
  return !absorbs(scene, b) &&
         !fits(condition_at(scene.problem, b).traits, normal_of(scene.d, dg::index(face.cell), face.face), wave);
}

}  // namespace

bool absorbs(const Scene& scene, std::size_t b) {
  const auto& face = scene.d.connectivity.boundary_faces[b];
  const auto k = dg::index(face.cell);
  if (condition_at(scene.problem, b).traits.absorbs) return true;
  return scene.in_pml[k] && scene.pml != nullptr &&
         scene.pml->damps_along(centre_of(scene.d, face), normal_of(scene.d, k, face.face));
}

void require_wave_of_lattice(const Scene& scene, const std::string& key, const config::Source& source) {
  const double size = dg::length(source.direction);
  for (std::size_t i = 0; i < scene.config.boundaries.size(); ++i) {
    const config::Boundary& pair = scene.config.boundaries[i];
    if (pair.type != "periodic") continue;
    const std::string boundary = "boundaries." + std::to_string(i);
    const dg::Point shift = dg::minus(middle_of(scene, boundary + ".with", pair.with),
                                      middle_of(scene, boundary + ".region", pair.region.front()));
    if (std::abs(dg::dot(shift, source.direction)) < parallel * dg::length(shift) * size) continue;
    refuse(
        scene.config, key + ".direction",
        "does not go with the periodic surfaces '" + pair.region.front() + "' and '" + pair.with + "' (" + boundary +
            "): the wave reaches them at different times, so that it is not the same in every cell. Take a direction "
            "perpendicular to the shift from one to the other; for a wave at an angle, give them a `phase`, and take a "
            "`current` for the source");
  }
}

void require_outgoing(const Scene& scene, const std::string& key) {
  const std::string injection = key + ".injection.type";
  const std::string remedy =
      ": the scattered field cannot leave the mesh there, and a false wave would come back. End the medium in vacuum "
      "before that, or take injection {type: total_field, regions: ...} with all of it inside";
  for (std::size_t b = 0; b < scene.problem.boundary.size(); ++b) {
    const auto& face = scene.d.connectivity.boundary_faces[b];
    const auto k = dg::index(face.cell);
    if (scene.ports[b] >= 0) {
      refuse(scene.config, injection,
             "scattered_field does not go with ports: port '" + scene.config.ports[dg::index(scene.ports[b])].name +
                 "' would absorb the scattered field alone, not what comes in with the incident wave");
    }
    if (condition_at(scene.problem, b).traits.absorbs && !scene.in_pml[k] && !scene.is_vacuum(k)) {
      refuse(scene.config, injection,
             "scattered_field does not go with a medium other than vacuum at an absorbing boundary, as in " +
                 place_of(scene, k) + " at " + name_of(scene, face) + remedy);
    }
  }
  for (std::size_t k = 0; k < scene.in_pml.size(); ++k) {
    if (!scene.in_pml[k] || scene.is_vacuum(k)) continue;
    refuse(
        scene.config, injection,
        "scattered_field does not go with a medium other than vacuum in the PML, as in " + place_of(scene, k) + remedy);
  }
  for (const config::Source& wave : scene.config.sources) {
    if (wave.type != config::Source::Type::plane_wave) continue;
    for (std::size_t b = 0; b < scene.problem.boundary.size(); ++b) {
      const auto& face = scene.d.connectivity.boundary_faces[b];
      if (!scene.in_pml[dg::index(face.cell)] || !is_obstacle(scene, b, wave)) continue;
      refuse(scene.config, injection,
             "scattered_field does not go with a wall that leads through the PML and scatters the wave, as " +
                 name_of(scene, face) + " (" + condition_at(scene.problem, b).name + ") in " +
                 place_of(scene, dg::index(face.cell)) + remedy);
    }
  }
}

void warn_of_unlit(const Scene& scene, const std::string& key, const config::Source& source,
                   const std::vector<bool>& total) {
  const auto warn = [&](const std::string& what, std::size_t k) {
    log_warning(scene.config.blame(
        key + ".injection.regions",
        "outside of the total-field regions there is " + what + ", in " + place_of(scene, k) +
            ", which the incident wave does not reach: only what the regions scatter does. Take it into them, or take "
            "injection {type: scattered_field}"));
  };
  for (std::size_t k = 0; k < total.size(); ++k) {
    if (!total[k] && !scene.is_vacuum(k)) return warn("a medium other than vacuum", k);
  }
  for (const auto& [side, Y_s] : scene.sheets) {
    if (!total[dg::index(side.element)]) return warn("a sheet", dg::index(side.element));
  }
  for (std::size_t b = 0; b < scene.problem.boundary.size(); ++b) {
    const auto& face = scene.d.connectivity.boundary_faces[b];
    if (total[dg::index(face.cell)] || !is_obstacle(scene, b, source)) continue;
    return warn("a wall that scatters, " + name_of(scene, face) + " (" + condition_at(scene.problem, b).name + ")",
                dg::index(face.cell));
  }
}

}  // namespace maxwell_dg
