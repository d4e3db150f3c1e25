#include "dg/maxwell/injection.hpp"

#include <algorithm>
#include <utility>

#include "core/mpi/of_all.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

using symbolic::Expr;
using symbolic::Symbol;

/// An equation of the scattered field in which a term follows the whole one.
Expr with_incident(const Expr& e, const std::vector<Expr>& incident) {
  return symbolic::substitute(e, [&](const Symbol& s) {
    const Expr symbol(s);
    const bool is_field = s.kind == Symbol::Kind::field && index(s.index) < incident.size();
    return is_field ? symbol + incident[index(s.index)] : symbol;
  });
}

void add_scattering_boundaries(const Scene& scene, const IncidentField& incident, Problem& problem,
                               const core::Communicator& ranks) {
  std::vector<std::vector<FaceTerm::Face>> faces(problem.system.boundaries.size());  // [condition]
  for (std::size_t b = 0; b < scene.boundary_faces().size(); ++b) {
    if (!scene.scatters(b)) continue;
    const Connectivity::BoundaryFace& face = scene.boundary_faces()[b];
    faces[index(problem.boundary[b])].push_back({face.cell, face.face});
  }
  for (std::size_t condition = 0; condition < faces.size(); ++condition) {
    if (!core::on_any(ranks, !faces[condition].empty())) continue;
    std::ranges::sort(faces[condition]);
    problem.face_terms.push_back(
        scattering_boundary_term(problem.system, static_cast<int>(condition), incident, std::move(faces[condition])));
  }
}

/// Polarization and the current of a sheet.
void follow_whole_field(const IncidentField& incident, Problem& problem) {
  for (FaceTerm& term : problem.face_terms) {
    if (term.name != "sheet") continue;
    const std::vector<Expr> fields = incident.behind(term.parameters.size(), problem.system);
    for (Expr& e : term.flux) e = with_incident(e, fields);
    incident.append_to(term.parameters, term.faces.size());
  }
  for (ElementTerm& term : problem.element_terms) {
    if (!term.name.starts_with("dispersion")) continue;
    const std::vector<Expr> fields = incident.behind(term.parameters.size(), problem.system);
    for (Expr& e : term.added) e = with_incident(e, fields);
    for (Expr& e : term.rates) e = with_incident(e, fields);
    incident.append_to(term.parameters, term.elements.size());
  }
}

void add_scattering_media(const Scene& scene, const IncidentField& incident, Problem& problem,
                          const core::Communicator& ranks) {
  std::vector<std::int32_t> media;
  for (std::size_t k = 0; k < scene.mesh().cells.size(); ++k) {
    if (!scene.in_background(k) && !scene.in_pml(k)) media.push_back(static_cast<std::int32_t>(k));
  }
  if (!core::on_any(ranks, !media.empty())) return;
  problem.element_terms.push_back(scattering_medium_term(problem.system, incident, std::move(media)));
}

}  // namespace

TotalFieldSurface total_field_surface(const Discretization& discretization, const std::vector<bool>& total) {
  TotalFieldSurface surface;
  for (std::size_t k = 0; k < discretization.K(); ++k) {
    for (std::int32_t face = 0; face < 4; ++face) {
      const std::int32_t neighbour = discretization.connectivity.neighbours[k].at(index(face));
      if (neighbour < 0 || total[k] == total[index(neighbour / 4)]) continue;
      surface.faces.push_back({static_cast<std::int32_t>(k), face});
      surface.sign.push_back(total[k] ? 1.0 : -1.0);
    }
  }
  return surface;
}

void add_scattered_field(const Scene& scene, const IncidentField& incident, Problem& problem,
                         const core::Communicator& ranks) {
  add_scattering_boundaries(scene, incident, problem, ranks);
  follow_whole_field(incident, problem);
  add_scattering_media(scene, incident, problem, ranks);
}

}  // namespace maxwell_dg::dg::maxwell
