#include "apps/simulation/wave_terms.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "apps/config/resolve.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/source_start.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/symbolic/incident.hpp"

namespace maxwell_dg {
namespace {

namespace maxwell = dg::maxwell;

/// Does a scattered field know of the incident wave there? What absorbs does not, nor what stands behind the layer.
bool scatters(const Scene& scene, std::size_t boundary_face) {
  return !condition_at(scene.problem, boundary_face).traits.absorbs &&
         !scene.in_pml[dg::index(scene.d.connectivity.boundary_faces[boundary_face].cell)];
}

/// When a wave that passes the origin at t = 0 passes the corners of the mesh, or for a scattered field those of what
/// scatters it. `first` is at least 0.
TimesInMesh times_in_mesh(const Scene& scene, const config::Source& source) {
  const config::Vector3& direction = source.direction;
  const double length = std::hypot(direction[0], direction[1], direction[2]);
  double first = -INFINITY, last = INFINITY;
  const auto meet = [&](std::size_t vertex) {
    const double before = -dg::dot(scene.d.mesh.vertices[vertex], direction) / length;
    first = std::max(first, before);
    last = std::min(last, before);
  };
  const bool everywhere = source.injection.type == config::Injection::Type::total_field;
  for (std::size_t v = 0; everywhere && v < scene.d.mesh.vertices.size(); ++v) meet(v);
  for (std::size_t b = 0; !everywhere && b < scene.problem.boundary.size(); ++b) {
    if (!scatters(scene, b)) continue;
    const auto& face = scene.d.connectivity.boundary_faces[b];
    for (const std::size_t v : dg::face_vertices[dg::index(face.face)])
      meet(dg::index(scene.d.mesh.cells[dg::index(face.cell)][v]));
  }
  for (std::size_t k = 0; !everywhere && k < scene.d.K(); ++k) {
    if (scene.is_vacuum(k)) continue;
    for (const std::int32_t v : scene.d.mesh.cells[k]) meet(dg::index(v));
  }
  for (const auto& [side, Y_s] : scene.sheets) {
    for (const std::size_t v : dg::face_vertices[dg::index(side.face)])
      meet(dg::index(scene.d.mesh.cells[dg::index(side.element)][v]));
  }
  if (first < last) return {};  // nothing scatters
  return {.first = std::max(first, 0.0), .last = std::min(last, std::max(first, 0.0))};
}

/// A sine begins when no part of it can be in the mesh; of another waveform it is said if some part is.
maxwell::Waveform waveform_from_nothing(const Scene& scene, const std::string& key, const config::Source& source) {
  maxwell::Waveform waveform = make_waveform(scene.config, source.waveform);
  const TimesInMesh times = times_in_mesh(scene, source);
  if (waveform.kind == maxwell::Waveform::Kind::sine) {
    waveform.start = times.first;
  } else {
    warn_of_wave_at_start(scene.config, key, waveform, times);
  }
  return waveform;
}

void add_total_field(const Scene& scene, const std::string& key, const config::Source& source,
                     const dg::IncidentField& incident, dg::Problem& problem) {
  const std::string regions = key + ".injection.regions";
  const std::vector<bool> total = config::region_cells(scene.config, regions, source.injection.regions, scene.d.mesh);
  std::vector<dg::FaceTerm::Face> faces;
  std::vector<double> sign;
  for (std::size_t k = 0; k < scene.d.K(); ++k) {
    if (total[k] && scene.in_pml[k]) refuse(scene.config, regions, "a total-field region must not be part of the PML");
    for (std::int32_t face = 0; face < 4; ++face) {
      const std::int32_t neighbour = scene.d.connectivity.neighbours[k][dg::index(face)];
      if (neighbour < 0) {
        const auto b = dg::index(-1 - neighbour);
        if (total[k] && condition_at(scene.problem, b).traits.absorbs && scene.ports[b] < 0) {
          refuse(scene.config, regions,
                 "the total-field regions touch an absorbing boundary, which would absorb the incident wave; "
                 "leave a region of scattered field between them");
        }
        continue;
      }
      if (total[k] == total[dg::index(neighbour / 4)]) continue;
      if (!scene.is_vacuum(k)) {
        refuse(scene.config, regions,
               "the surface of the total-field regions must lie in vacuum, where the incident wave is known");
      }
      if (scene.sheets.contains({static_cast<std::int32_t>(k), face})) {
        refuse(scene.config, regions,
               "the surface of the total-field regions must not be a sheet; leave elements between them");
      }
      faces.push_back({static_cast<std::int32_t>(k), face});
      sign.push_back(total[k] ? 1.0 : -1.0);
    }
  }
  if (faces.empty()) {
    refuse(scene.config, regions,
           "the total-field regions have no surface inside the mesh through which the wave could enter");
  }
  warn_of_unlit(scene, key, source, total);
  problem.face_terms.push_back(dg::total_field_term(scene.problem.system, incident, std::move(faces), std::move(sign)));
}

/// An equation of the scattered field in which a term follows the whole one.
dg::symbolic::Expr with_incident(const dg::symbolic::Expr& e, const dg::IncidentField& incident) {
  using dg::symbolic::Symbol;
  return dg::symbolic::substitute(e, [&](const Symbol& s) {
    const dg::symbolic::Expr symbol(s);
    const bool is_field = s.kind == Symbol::Kind::field && dg::index(s.index) < incident.size();
    return is_field ? symbol + incident[dg::index(s.index)] : symbol;
  });
}

void add_scattered_field(const Scene& scene, const dg::IncidentField& incident, dg::Problem& problem) {
  std::vector<std::vector<dg::FaceTerm::Face>> faces(scene.problem.system.boundaries.size());
  for (std::size_t b = 0; b < scene.d.connectivity.boundary_faces.size(); ++b) {
    if (!scatters(scene, b)) continue;
    const auto& face = scene.d.connectivity.boundary_faces[b];
    faces[dg::index(scene.problem.boundary[b])].push_back({face.cell, face.face});
  }
  for (std::size_t condition = 0; condition < faces.size(); ++condition) {
    if (faces[condition].empty()) continue;
    std::ranges::sort(faces[condition]);
    problem.face_terms.push_back(dg::scattering_boundary_term(scene.problem.system, static_cast<int>(condition),
                                                              incident, std::move(faces[condition])));
  }
  // Polarization and the current of a sheet follow the whole field.
  const auto follow = [&](dg::symbolic::Expr& e) { e = with_incident(e, incident); };
  for (dg::FaceTerm& term : problem.face_terms) {
    if (term.name == "sheet") std::ranges::for_each(term.flux, follow);
  }
  for (dg::ElementTerm& term : problem.element_terms) {
    if (!term.name.starts_with("dispersion")) continue;
    std::ranges::for_each(term.added, follow);
    std::ranges::for_each(term.rates, follow);
  }
  std::vector<std::int32_t> media;
  for (std::size_t k = 0; k < scene.d.K(); ++k) {
    if (!scene.is_vacuum(k) && !scene.in_pml[k]) media.push_back(static_cast<std::int32_t>(k));
  }
  if (!media.empty()) {
    problem.element_terms.push_back(dg::scattering_medium_term(scene.problem.system, incident, std::move(media)));
  }
}

}  // namespace

void add_wave_terms(const Scene& scene, const std::string& key, const config::Source& source, dg::Problem& problem) {
  const bool is_scattered = source.injection.type == config::Injection::Type::scattered_field;
  require_wave_of_lattice(scene, key, source);
  if (is_scattered) require_outgoing(scene, key);
  dg::IncidentField incident;
  try {
    incident = maxwell::fields({.direction = source.direction,
                                .polarization = source.polarization,
                                .waveform = waveform_from_nothing(scene, key, source)});
  } catch (const std::invalid_argument& error) {
    refuse(scene.config, key, error.what());
  }
  if (is_scattered) {
    add_scattered_field(scene, incident, problem);
  } else {
    add_total_field(scene, key, source, incident, problem);
  }
}

}  // namespace maxwell_dg
