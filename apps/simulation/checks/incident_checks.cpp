#include "apps/simulation/checks/incident_checks.hpp"

#include <array>
#include <cmath>

#include "apps/config/named_parts.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/text.hpp"
#include "dg/mesh/quality.hpp"

namespace maxwell_dg::simulation {
namespace {

using dg::maxwell::Scene;

std::string place_of(const config::Config& config, const Scene& scene, std::size_t k) {
  return dg::where_is(scene.mesh(), k, config::unit_in(config.units, " m"));
}

std::string name_of(const Scene& scene, const dg::Connectivity::BoundaryFace& face) {
  return face.surface < 0 ? "a surface without a name" : "'" + scene.mesh().surfaces[dg::index(face.surface)] + "'";
}

/// The mean of the corners of a surface's faces: of surfaces meshed alike, they differ by the period. Collective.
dg::Point middle_of(const config::Config& config, const dg::Discretization& d, const std::string& key,
                    const std::string& surface, const core::Communicator& ranks) {
  const dg::Mesh& mesh = d.mesh;
  dg::Point sum{};
  double count = 0;
  for (const dg::ElementFace& face : config::surface_faces(config, key, {surface}, mesh).faces) {
    if (face.element >= d.own()) continue;
    const auto& [a, b, c] = dg::face_vertices.at(dg::index(face.face));
    const auto& cell = mesh.cells[face.element];
    sum = dg::plus(sum, centroid(mesh, std::array{cell.at(a), cell.at(b), cell.at(c)}));
    ++count;
  }
  ranks.sum(sum);
  ranks.sum({&count, 1});
  for (double& x : sum) x /= count;
  return sum;
}

}  // namespace

dg::maxwell::PlaneWave direction_of_wave(const config::PlaneWave& source) {
  return {.direction = source.direction, .polarization = source.polarization};
}

void require_wave_of_lattice(const config::Config& config, const Scene& scene, const std::string& key,
                             const config::PlaneWave& source, const core::Communicator& ranks) {
  const dg::Discretization& d = scene.discretization();
  const double size = dg::length(source.direction);
  for (const auto& pair : config::boundaries_of<config::Periodic>(config)) {
    const std::string &first = pair.region.front(), &second = pair.value.with;
    const dg::Point shift = dg::minus(middle_of(config, d, pair.key + ".with", second, ranks),
                                      middle_of(config, d, pair.key + ".region", first, ranks));
    if (std::abs(dg::dot(shift, source.direction)) < dg::maxwell::parallel_within * dg::length(shift) * size) continue;
    refuse(
        config, key + ".direction",
        "does not go with the periodic surfaces '" + first + "' and '" + second + "' (" + pair.key +
            "): the wave reaches them at different times, so that it is not the same in every cell. Take a direction "
            "perpendicular to the shift from one to the other; for a wave at an angle, give them a `phase`, and take a "
            "`current` for the source");
  }
}

void require_outgoing(const config::Config& config, const Scene& scene, const std::string& key) {
  const std::string injection = key + ".injection.type";
  const std::string remedy =
      ": the scattered field cannot leave the mesh there, and a false wave would come back. End the medium "
      "before that, or take injection {type: total_field, regions: ...} with all of it inside";
  const auto absorbs_without_pml = [&](std::size_t b) {
    return scene.condition(b).traits.absorbs && !scene.in_pml(dg::index(scene.boundary_faces()[b].cell));
  };
  for (const config::Port& port : config.ports) {
    refuse(config, injection,
           "scattered_field does not go with ports: port '" + port.name +
               "' would absorb the scattered field alone, not what comes in with the incident wave");
  }
  for (const config::LumpedElement& element : config.elements) {
    refuse(config, injection,
           "scattered_field does not go with lumped elements: '" + element.name +
               "' would see the scattered field alone, not the incident wave; take injection {type: total_field, "
               "regions: ...} with it inside");
  }
  const std::size_t faces = scene.boundary_faces().size();
  const std::size_t elements = scene.mesh().cells.size();
  bool is_known_elsewhere = false;
  for (std::size_t b = 0; b < faces && !is_known_elsewhere; ++b) {
    is_known_elsewhere = absorbs_without_pml(b) && scene.in_background(dg::index(scene.boundary_faces()[b].cell));
  }
  for (std::size_t k = 0; k < elements && !is_known_elsewhere; ++k) {
    is_known_elsewhere = scene.in_pml(k) && scene.in_background(k);
  }
  const auto refuse_medium = [&](std::size_t k, const std::string& where) {
    refuse(config, injection,
           "scattered_field goes with a single medium without losses where it leaves the mesh, but there is " +
               dg::maxwell::medium_of(scene.problem(), k).name + " " + where + ", in " + place_of(config, scene, k) +
               (is_known_elsewhere ? ", and elsewhere " + name_of(scene.background()) : "") + remedy);
  };
  for (std::size_t b = 0; b < faces; ++b) {
    const auto& face = scene.boundary_faces()[b];
    const auto k = dg::index(face.cell);
    if (absorbs_without_pml(b) && !scene.in_background(k)) {
      refuse_medium(k, "at the absorbing boundary " + name_of(scene, face));
    }
  }
  for (std::size_t k = 0; k < elements; ++k) {
    if (scene.in_pml(k) && !scene.in_background(k)) refuse_medium(k, "in the PML");
  }
  for (const auto& [of_source, wave] : config::sources_of<config::PlaneWave>(config)) {
    for (std::size_t b = 0; b < scene.boundary_faces().size(); ++b) {
      const auto& face = scene.boundary_faces()[b];
      if (!scene.in_pml(dg::index(face.cell)) || !scene.obstructs(b, direction_of_wave(wave))) continue;
      refuse(config, injection,
             "scattered_field does not go with a wall that leads through the PML and scatters the wave, as " +
                 name_of(scene, face) + " (" + scene.condition(b).name + ") in " +
                 place_of(config, scene, dg::index(face.cell)) + remedy);
    }
  }
}

void warn_of_unlit(const config::Config& config, const Scene& scene, const std::string& key,
                   const config::PlaneWave& source, const std::vector<bool>& total) {
  const auto say_unlit = [&](const std::string& what, std::size_t k) {
    warn(config, key + ".injection.regions",
         "outside of the total-field regions there is " + what + ", in " + place_of(config, scene, k) +
             ", which the incident wave does not reach: only what the regions scatter does. Take it into them, or take "
             "injection {type: scattered_field}");
  };
  for (std::size_t k = 0; k < total.size(); ++k) {
    if (!total[k] && !scene.in_background(k)) return say_unlit("a medium other than " + name_of(scene.background()), k);
  }
  for (const dg::FaceTerm::Face& side : scene.sheets()) {
    if (!total[dg::index(side.element)]) return say_unlit("a sheet", dg::index(side.element));
  }
  for (std::size_t b = 0; b < scene.boundary_faces().size(); ++b) {
    const auto& face = scene.boundary_faces()[b];
    if (total[dg::index(face.cell)] || !scene.obstructs(b, direction_of_wave(source))) continue;
    return say_unlit("a wall that scatters, " + name_of(scene, face) + " (" + scene.condition(b).name + ")",
                     dg::index(face.cell));
  }
}

}  // namespace maxwell_dg::simulation
