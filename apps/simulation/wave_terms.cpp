#include "apps/simulation/wave_terms.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>

#include "apps/config/named_parts.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/incident_checks.hpp"
#include "apps/simulation/checks/source_start.hpp"
#include "apps/simulation/physics.hpp"
#include "core/error.hpp"
#include "core/mpi/first_error.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/maxwell/injection.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/mesh/quality.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace maxwell = dg::maxwell;

using maxwell::Scene;

/// A sine begins when no part of it can be in the mesh; of another waveform it is said if some part is.
maxwell::Waveform waveform_from_nothing(const config::Config& config, const Scene& scene, const std::string& key,
                                        const config::PlaneWave& source, const core::Communicator& ranks) {
  maxwell::Waveform waveform = make_waveform(config, source.waveform);
  const maxwell::TimesInMesh times = source.injection.type == config::Injection::Type::total_field
                                         ? maxwell::times_in_mesh(scene, source.direction, ranks)
                                         : maxwell::times_at_scatterers(scene, source.direction, ranks);
  if (waveform.kind == maxwell::Waveform::Kind::sine) {
    waveform.start = times.first;
  } else {
    warn_of_wave_at_start(config, key, waveform, times);
  }
  return waveform;
}

/// `regions`: the key of those of total field.
void require_place_for_total_field(const config::Config& config, const Scene& scene, const std::vector<int>& ports,
                                   const std::string& regions, const std::vector<bool>& total) {
  for (std::size_t k = 0; k < total.size(); ++k) {
    if (total[k] && scene.in_pml(k)) refuse(config, regions, "a total-field region must not be part of the PML");
  }
  for (std::size_t b = 0; b < scene.boundary_faces().size(); ++b) {
    if (!total[dg::index(scene.boundary_faces()[b].cell)] || !scene.condition(b).traits.absorbs || ports[b] >= 0) {
      continue;
    }
    refuse(config, regions,
           "the total-field regions touch an absorbing boundary, which would absorb the incident wave; "
           "leave a region of scattered field between them");
  }
}

/// On the faces of the surface of the total-field regions.
void require_known_wave(const config::Config& config, const Scene& scene, const std::string& regions,
                        const std::vector<dg::FaceTerm::Face>& faces) {
  for (const dg::FaceTerm::Face& face : faces) {
    if (!scene.in_background(dg::index(face.element))) {
      const bool is_known_elsewhere = std::ranges::any_of(
          faces, [&](const dg::FaceTerm::Face& f) { return scene.in_background(dg::index(f.element)); });
      refuse(config, regions,
             "the surface of the total-field regions must lie in a single medium without losses, in which the incident "
             "wave is known, but there is " +
                 maxwell::medium_of(scene.problem(), dg::index(face.element)).name + " in " +
                 dg::where_is(scene.mesh(), dg::index(face.element), config::unit_in(config.units, " m")) +
                 (is_known_elsewhere ? ", and elsewhere " + name_of(scene.background()) : ""));
    }
    if (scene.is_sheet(face)) {
      refuse(config, regions,
             "the surface of the total-field regions must not be a sheet; leave elements between them");
    }
  }
}

/// A wall between regions of total field and others cannot be the surface.
void require_no_wall_at_surface(const config::Config& config, const Scene& scene, const std::string& regions,
                                const config::RegionNames& names, const std::vector<bool>& total) {
  const dg::RegionSet total_regions = config::region_set(names, scene.mesh());
  for (const dg::Connectivity::BoundaryFace& face : scene.boundary_faces()) {
    if (!face.is_inside() || total[dg::index(face.cell)] == total_regions.contains(face.behind)) continue;
    refuse(config, regions,
           "the surface of the total-field regions must not be a wall, but some of it is '" +
               scene.mesh().surfaces[dg::index(face.surface)] + "'; leave elements between them");
  }
}

void add_total_field(const config::Config& config, const Scene& scene, const std::vector<int>& ports,
                     const std::string& key, const config::PlaneWave& source, const dg::IncidentField& incident,
                     dg::Problem& problem, const core::Communicator& ranks) {
  const std::string regions = key + ".injection.regions";
  const std::vector<bool> total = config::region_cells(config, regions, source.injection.regions, scene.mesh());
  const maxwell::TotalFieldSurface surface = maxwell::total_field_surface(scene.discretization(), total);
  core::on_all_ranks<ConfigError>(ranks, [&] {
    require_place_for_total_field(config, scene, ports, regions, total);
    require_known_wave(config, scene, regions, surface.faces);
    require_no_wall_at_surface(config, scene, regions, source.injection.regions, total);
  });
  if (!core::on_any(ranks, !surface.faces.empty())) {
    refuse(config, regions,
           "the total-field regions have no surface inside the mesh through which the wave could enter");
  }
  warn_of_unlit(config, scene, key, source, total);
  problem.face_terms.push_back(dg::total_field_term(problem.system, incident, surface.faces, surface.sign));
}

}  // namespace

maxwell::HomogeneousMedium background_of(const config::Config& config, const dg::Discretization& d,
                                         const dg::Problem& problem, const std::vector<bool>& in_pml,
                                         const std::string& key, const config::PlaneWave& source,
                                         const core::Communicator& ranks) {
  std::vector<std::size_t> elements;  // in each of which the wave should be known
  if (source.injection.type == config::Injection::Type::total_field) {
    const std::vector<bool> total =
        config::region_cells(config, key + ".injection.regions", source.injection.regions, d.mesh);
    for (const dg::FaceTerm::Face& face : maxwell::total_field_surface(d, total).faces) {
      elements.push_back(dg::index(face.element));
    }
  } else {
    for (std::size_t k = 0; k < in_pml.size(); ++k) {
      if (in_pml[k]) elements.push_back(k);
    }
    for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
      const std::size_t k = dg::index(d.connectivity.boundary_faces[b].cell);
      const bool is_pml = k < in_pml.size() && in_pml[k];
      if (!is_pml && condition_at(problem, b).traits.absorbs) elements.push_back(k);
    }
  }
  struct Found {
    double epsilon_r, mu_r;
    double elements;  ///< in how many of them
    double first;     ///< of these the least place along the direction
  };
  std::vector<Found> found;
  const auto add = [&](const Found& more) {
    const auto same = std::ranges::find_if(
        found, [&](const Found& f) { return f.epsilon_r == more.epsilon_r && f.mu_r == more.mu_r; });
    if (same == found.end()) return found.push_back(more);
    same->elements += more.elements;
    same->first = std::min(same->first, more.first);
  };
  for (const std::size_t k : elements) {
    if (k >= d.own()) continue;
    const auto medium = maxwell::homogeneous_medium(problem, k);
    const double along = dg::dot(centroid(d.mesh, d.mesh.cells[k]), source.direction);
    if (medium) add({medium->epsilon_r, medium->mu_r, 1, along});
  }
  const std::vector<Found> mine = std::move(found);
  found.clear();
  for (const Found& of_rank : core::all_of(ranks, mine)) add(of_rank);
  if (found.empty()) return {};
  const bool is_scattered = source.injection.type == config::Injection::Type::scattered_field;
  const Found& background =
      *std::ranges::min_element(found, {}, [&](const Found& f) { return is_scattered ? f.first : -f.elements; });
  return {.epsilon_r = background.epsilon_r, .mu_r = background.mu_r};
}

void add_wave_terms(const config::Config& config, const Scene& scene, const std::vector<int>& ports,
                    const std::string& key, const config::PlaneWave& source, dg::Problem& problem,
                    const core::Communicator& ranks) {
  const bool is_scattered = source.injection.type == config::Injection::Type::scattered_field;
  require_wave_of_lattice(config, scene, key, source, ranks);
  core::on_all_ranks<ConfigError>(ranks, [&] {
    if (is_scattered) require_outgoing(config, scene, key);
  });
  std::optional<dg::IncidentField> incident;
  try {
    maxwell::PlaneWave wave = direction_of_wave(source);
    wave.waveform = waveform_from_nothing(config, scene, key, source, ranks);
    wave.medium = scene.background();
    incident = maxwell::incident_field(wave);
  } catch (const std::invalid_argument& error) {
    refuse(config, key, error.what());
  }
  if (is_scattered) {
    maxwell::add_scattered_field(scene, *incident, problem, ranks);
  } else {
    add_total_field(config, scene, ports, key, source, *incident, problem, ranks);
  }
}

}  // namespace maxwell_dg::simulation
