#include "dg/maxwell/guide.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "dg/maxwell/face_edges.hpp"
#include "dg/maxwell/static_field.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

void require_no_terms(const Problem& problem, const std::vector<ElementFace>& faces) {
  for (const ElementTerm& term : problem.element_terms) {
    for (const ElementFace& face : faces) {
      if (!std::ranges::binary_search(term.elements, static_cast<std::int32_t>(face.element))) continue;
      throw std::invalid_argument("touches elements with " + term.name +
                                  "; a port needs a piece of empty or uniformly filled guide behind it");
    }
  }
  for (const FaceTerm& term : problem.face_terms) {
    for (const FaceTerm::Face& at : term.faces) {
      const bool beside =
          std::ranges::any_of(faces, [&](const ElementFace& face) { return face.element == index(at.element); });
      if (beside) throw std::invalid_argument("touches elements with " + term.name + "; its guide must be uniform");
    }
  }
}

}  // namespace

HomogeneousMedium filling_of(const Problem& problem, const std::vector<ElementFace>& faces) {
  require_no_terms(problem, faces);
  const std::optional<HomogeneousMedium> filling = homogeneous_medium(problem, faces.front().element);
  for (const ElementFace& face : faces) {
    const auto [medium, name] = medium_of(problem, face.element);
    if (!medium) throw std::invalid_argument("lies in " + name + "; its guide must have none");
    if (medium != filling) {
      throw std::invalid_argument("lies in more than one medium (" + name_of(*filling) + "; " + name +
                                  "), and the mode of a guide's end needs a single one; feed a microstrip, or another "
                                  "line between media, by a port of type lumped across the gap between its conductors");
    }
  }
  return *filling;
}

void require_conducting_rim(const Discretization& discretization, const Problem& problem,
                            const std::vector<ElementFace>& faces) {
  const Mesh& mesh = discretization.mesh;
  std::map<Edge, int> rim;  // faces of the port that have it
  std::vector<bool> is_port(problem.boundary.size());
  for (const ElementFace& face : faces) {
    for (const Edge& edge : edges_of(mesh, face)) ++rim[edge];
    const std::int32_t neighbour =
        discretization.connectivity.neighbours[face.element].at(static_cast<std::size_t>(face.face));
    if (neighbour < 0) is_port[index(-1 - neighbour)] = true;
  }
  std::erase_if(rim, [](const auto& edge) { return edge.second > 1; });
  for (const Edge& edge : edges_at_walls(discretization, faces)) rim[edge] = 0;
  for (std::size_t b = 0; b < is_port.size(); ++b) {
    if (is_port[b]) continue;
    const Connectivity::BoundaryFace& at = discretization.connectivity.boundary_faces[b];
    const System::Boundary& condition = condition_at(problem, b);
    for (const Edge& edge : edges_of(mesh, {index(at.cell), at.face})) {
      if (!rim.contains(edge)) continue;
      if (condition.traits.conducts || condition.traits.is_symmetry) {
        rim.erase(edge);
        continue;
      }
      const std::string name =
          at.surface < 0 ? "a surface without a name" : "'" + mesh.surfaces[index(at.surface)] + "'";
      throw std::invalid_argument("meets " + name + ", of type " + condition.name +
                                  ": the guide behind a port must have conducting walls (pec)");
    }
  }
  if (rim.empty()) return;
  throw std::invalid_argument(
      "does not end at walls of the mesh on all sides: the guide behind a port must have conducting walls (pec)");
}

double matched_impedance(const PortMode& mode, double from, double to) {
  return std::sqrt(mode.impedance(from) * mode.impedance(to));
}

}  // namespace maxwell_dg::dg::maxwell
