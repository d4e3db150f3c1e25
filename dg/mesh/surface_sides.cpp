#include "dg/mesh/surface_sides.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace maxwell_dg::dg {

std::vector<SurfaceSides> surface_sides(const Mesh& mesh) {
  std::vector<int> elements(mesh.surface_faces.size());  // [named face] how many have it
  const NamedFaceSearch named(mesh.surface_faces, mesh.vertices.size());
  for (const auto& cell : mesh.cells) {
    for (const auto& [a, b, c] : face_vertices) {
      if (const auto found = named.find({cell[a], cell[b], cell[c]})) ++elements[*found];
    }
  }
  std::vector<SurfaceSides> sides(mesh.surfaces.size());
  for (std::size_t f = 0; f < elements.size(); ++f) {
    const std::int32_t surface = mesh.surface_faces[f].surface;
    if (surface < 0) continue;
    ++(elements[f] > 1 ? sides[index(surface)].between : sides[index(surface)].outer);
  }
  return sides;
}

std::optional<std::size_t> find_named_face(const std::vector<Mesh::SurfaceFace>& faces,
                                           std::array<std::int32_t, 3> vertices) {
  std::ranges::sort(vertices);
  const auto found = std::ranges::lower_bound(faces, vertices, {}, &Mesh::SurfaceFace::vertices);
  if (found == faces.end() || found->vertices != vertices) return std::nullopt;
  return static_cast<std::size_t>(found - faces.begin());
}

NamedFaceSearch::NamedFaceSearch(const std::vector<Mesh::SurfaceFace>& faces, std::size_t vertices)
    : faces_(faces), is_near_(vertices) {
  for (const Mesh::SurfaceFace& face : faces) {
    for (const std::int32_t v : face.vertices) is_near_[index(v)] = true;
  }
}

std::optional<std::size_t> NamedFaceSearch::find(const std::array<std::int32_t, 3>& vertices) const {
  if (!std::ranges::all_of(vertices, [&](std::int32_t v) { return is_near_[index(v)]; })) return std::nullopt;
  return find_named_face(faces_, vertices);
}

std::array<std::int32_t, 3> vertices_of_face(const Mesh& mesh, std::size_t cell, std::size_t face) {
  std::array<std::int32_t, 3> vertices{};
  for (std::size_t i = 0; i < 3; ++i) vertices.at(i) = mesh.cells[cell].at(face_vertices.at(face).at(i));
  std::ranges::sort(vertices);
  return vertices;
}

}  // namespace maxwell_dg::dg
