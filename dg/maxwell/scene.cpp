#include "dg/maxwell/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace maxwell_dg::dg::maxwell {
namespace {

/// [element] Is its medium this one?
std::vector<bool> elements_of(const HomogeneousMedium& medium, const Problem& problem, std::size_t elements) {
  std::vector<bool> result(elements);
  for (std::size_t k = 0; k < elements; ++k) result[k] = homogeneous_medium(problem, k) == medium;
  return result;
}

std::vector<FaceTerm::Face> sheets_of(const Problem& problem) {
  const auto sheet = std::ranges::find(problem.face_terms, "sheet", &FaceTerm::name);
  return sheet == problem.face_terms.end() ? std::vector<FaceTerm::Face>{} : sheet->faces;
}

Point normal_of(const Discretization& d, std::size_t k, std::int32_t face) {
  const Geometry::Face& g = d.geometry.faces[k].at(index(face));
  return {g.nx, g.ny, g.nz};
}

/// Does a wave by itself fulfil the condition at a wall with this normal?
bool fulfils(const PlaneWave& wave, const System::Traits& condition, const Point& n) {
  const auto is_along = [&](const Point& field) { return length(cross(n, field)) < parallel_within * length(field); };
  return (condition.no_tangential == "E" && is_along(wave.polarization)) ||
         (condition.no_tangential == "H" && is_along(cross(wave.direction, wave.polarization)));
}

/// Gathers when a wave passes vertices.
class Passage {
 public:
  Passage(const Mesh& mesh, const Point& direction, const HomogeneousMedium& medium)
      : mesh_(mesh), direction_(direction), slowness_(medium.refractive_index() / length(direction)) {}

  void meet(std::size_t vertex) {
    const double before = -dot(mesh_.vertices[vertex], direction_) * slowness_;
    first_ = std::max(first_, before);
    last_ = std::min(last_, before);
  }
  void meet_face(std::int32_t cell, std::int32_t face) {
    for (const std::size_t v : face_vertices.at(index(face))) meet(index(mesh_.cells[index(cell)].at(v)));
  }
  /// Of what all ranks have met. Collective.
  [[nodiscard]] TimesInMesh times(const core::Communicator& ranks) const {
    double first = first_, last = last_;
    ranks.max({&first, 1});
    ranks.min({&last, 1});
    if (first < last) return {};  // nothing was met
    return {.first = std::max(first, 0.0), .last = std::min(last, std::max(first, 0.0))};
  }

 private:
  const Mesh& mesh_;
  const Point& direction_;
  double slowness_;  // over the direction's length
  double first_ = -std::numeric_limits<double>::infinity(), last_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Scene::Scene(const Discretization& discretization, const Problem& problem, std::vector<bool> in_pml,
             const PmlLayer* pml, const HomogeneousMedium& background)
    : d_(discretization),
      problem_(problem),
      in_pml_(std::move(in_pml)),
      background_(background),
      in_background_(elements_of(background, problem, discretization.K())),
      pml_(pml),
      sheets_(sheets_of(problem)) {}

bool Scene::is_sheet(const FaceTerm::Face& face) const {
  return std::ranges::binary_search(sheets_, face);
}

bool Scene::absorbs(std::size_t b) const {
  if (condition(b).traits.absorbs) return true;
  const Connectivity::BoundaryFace& face = boundary_faces()[b];
  const std::size_t k = index(face.cell);
  if (!in_pml_[k] || pml_ == nullptr) return false;
  const auto& [i, j, l] = face_vertices.at(index(face.face));
  const auto& cell = d_.mesh.cells[k];
  return pml_->damps_along(centroid(d_.mesh, std::array{cell.at(i), cell.at(j), cell.at(l)}),
                           normal_of(d_, k, face.face));
}

bool Scene::scatters(std::size_t b) const {
  const System::Traits& traits = condition(b).traits;
  return !traits.absorbs && !traits.is_symmetry && !in_pml_[index(boundary_faces()[b].cell)];
}

bool Scene::obstructs(std::size_t b, const PlaneWave& wave) const {
  const Connectivity::BoundaryFace& face = boundary_faces()[b];
  return !absorbs(b) && !condition(b).traits.is_symmetry &&
         !fulfils(wave, condition(b).traits, normal_of(d_, index(face.cell), face.face));
}

TimesInMesh times_in_mesh(const Scene& scene, const Point& direction, const core::Communicator& ranks) {
  const Mesh& mesh = scene.mesh();
  Passage passage(mesh, direction, scene.background());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) passage.meet(v);
  return passage.times(ranks);
}

TimesInMesh times_at_scatterers(const Scene& scene, const Point& direction, const core::Communicator& ranks) {
  const Mesh& mesh = scene.mesh();
  Passage passage(mesh, direction, scene.background());
  for (std::size_t b = 0; b < scene.boundary_faces().size(); ++b) {
    if (scene.scatters(b)) passage.meet_face(scene.boundary_faces()[b].cell, scene.boundary_faces()[b].face);
  }
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (scene.in_background(k)) continue;
    for (const std::int32_t v : mesh.cells[k]) passage.meet(index(v));
  }
  for (const FaceTerm::Face& side : scene.sheets()) passage.meet_face(side.element, side.face);
  return passage.times(ranks);
}

}  // namespace maxwell_dg::dg::maxwell
