#include "dg/mesh/surface_sides.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace maxwell_dg::dg {

std::vector<SurfaceSides> surface_sides(const Mesh& mesh) {
  std::vector<int> elements(mesh.surface_faces.size());  // [named face] how many have it
  std::vector<bool> is_near(mesh.vertices.size());
  for (const Mesh::SurfaceFace& face : mesh.surface_faces) {
    for (const std::int32_t v : face.vertices) is_near[index(v)] = true;
  }
  for (const auto& cell : mesh.cells) {
    for (const auto& [a, b, c] : face_vertices) {
      const std::array vertices{cell[a], cell[b], cell[c]};
      if (!std::ranges::all_of(vertices, [&](std::int32_t v) { return is_near[index(v)]; })) continue;
      if (const auto found = find_named_face(mesh.surface_faces, vertices)) ++elements[*found];
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

}  // namespace maxwell_dg::dg
