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
      std::array vertices{cell[a], cell[b], cell[c]};
      if (!std::ranges::all_of(vertices, [&](std::int32_t v) { return is_near[index(v)]; })) continue;
      std::ranges::sort(vertices);  // in a cell they ascend by identity
      const auto found = std::ranges::lower_bound(mesh.surface_faces, vertices, {}, &Mesh::SurfaceFace::vertices);
      if (found == mesh.surface_faces.end() || found->vertices != vertices) continue;
      ++elements[static_cast<std::size_t>(found - mesh.surface_faces.begin())];
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

}  // namespace maxwell_dg::dg
