#include "apps/simulation/checks/mesh_lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/point.hpp"
#include "dg/mesh/surface_sides.hpp"

namespace maxwell_dg::simulation {
namespace {

/// " at z = 12 mm" of what lies in such a plane, else "".
std::string plane_of(const dg::BoundingBox& box, const dg::BoundingBox& whole,
                     const std::function<std::string(double)>& length) {
  const double tolerance = 1e-9 * dg::distance(whole.min, whole.max);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (box.max[axis] - box.min[axis] > tolerance) continue;
    const double at = std::abs(box.min[axis]) < tolerance ? 0 : box.min[axis];
    return std::string(" at ") + "xyz"[axis] + " = " + length(at);
  }
  return "";
}

/// counts[0] is of those without a name.
std::string list_of(const std::vector<double>& counts, const std::vector<std::string>& names,
                    const std::string& unnamed, const std::vector<std::string>& places = {}) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(std::llround(counts[i])) + " in " +
            (i == 0 ? unnamed : "'" + names[i - 1] + "'");
    if (i > 0 && !places.empty()) text += places[i - 1];
  }
  return text.empty() ? "none" : text;
}

NamedFaces no_faces(const dg::Mesh& mesh) {
  return {.count = std::vector<double>(mesh.surfaces.size()),
          .box = std::vector<dg::BoundingBox>(mesh.surfaces.size())};
}

void add_face(const dg::Mesh& mesh, std::int32_t surface, const std::array<std::int32_t, 3>& vertices, double count,
              NamedFaces& faces) {
  faces.count[dg::index(surface)] += count;
  for (const std::int32_t v : vertices) faces.box[dg::index(surface)].add(mesh.vertices[dg::index(v)]);
}

}  // namespace

std::string elements_by_region(const dg::Mesh& mesh, std::size_t own, const core::Communicator& ranks) {
  std::vector<double> counts(mesh.regions.size() + 1, 0);
  for (std::size_t k = 0; k < own; ++k) ++counts[static_cast<std::size_t>(mesh.cell_region[k] + 1)];
  ranks.sum(counts);
  return list_of(counts, mesh.regions, "no region");
}

std::array<std::size_t, 2> counts_of_curved_and_varying(const dg::Discretization& part,
                                                        const std::vector<bool>& varying_regions,
                                                        const core::Communicator& ranks) {
  const dg::Mesh& mesh = part.mesh;
  const std::vector<dg::GeometryNode> places =
      mesh.curved.any() ? dg::geometry_nodes(mesh.curved.order) : std::vector<dg::GeometryNode>();
  std::array<double, 2> counts{};
  for (std::size_t k = 0; k < part.own(); ++k) {
    const auto region = static_cast<std::size_t>(mesh.cell_region[k] + 1);
    if (!varying_regions.empty() && varying_regions[region]) ++counts[1];
    if (!mesh.curved.is_curved(k)) continue;
    const auto of_cell = mesh.curved.nodes_of(k);
    std::vector<dg::Point> nodes(of_cell.begin(), of_cell.end());
    if (!dg::straighten_parts(dg::corners_of(mesh, k), mesh.curved.order, places, nodes)) ++counts[0];
  }
  ranks.sum(counts);
  return {static_cast<std::size_t>(counts[0]), static_cast<std::size_t>(counts[1])};
}

NamedFaces named_faces(const dg::Mesh& mesh) {
  NamedFaces result = no_faces(mesh);
  for (const auto& face : mesh.surface_faces) add_face(mesh, face.surface, face.vertices, 1, result);
  return result;
}

NamedFaces named_faces(const dg::Discretization& part, const core::Communicator& ranks) {
  const dg::Mesh& mesh = part.mesh;
  NamedFaces result = no_faces(mesh);
  for (std::size_t k = 0; k < part.own(); ++k) {
    for (std::size_t face = 0; face < 4; ++face) {
      const std::array<std::int32_t, 3> vertices = dg::vertices_of_face(mesh, k, face);
      const auto found = dg::find_named_face(mesh.surface_faces, vertices);
      if (!found) continue;
      const std::int32_t n = part.connectivity.neighbours[k].at(face);
      const bool is_inside =
          n < 0 ? part.connectivity.boundary_faces[dg::index(-1 - n)].is_inside()
                : dg::vertices_of_face(mesh, dg::index(n / 4), dg::index(n % 4)) == vertices;  // not periodic
      add_face(mesh, mesh.surface_faces[*found].surface, vertices, is_inside ? 0.5 : 1,
               result);  // from each of its sides
    }
  }
  ranks.sum(result.count);
  for (dg::BoundingBox& box : result.box) {
    ranks.min(box.min);
    ranks.max(box.max);
  }
  return result;
}

std::string faces_by_surface(const NamedFaces& faces, const std::vector<std::string>& surfaces,
                             const dg::BoundingBox& whole, const std::function<std::string(double)>& length) {
  std::vector<double> counts{0};
  std::vector<std::string> places;
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    counts.push_back(faces.count[s]);
    const bool is_number = surfaces[s].starts_with("surface_") && faces.count[s] > 0;
    places.push_back(is_number ? plane_of(faces.box[s], whole, length) : "");
  }
  return list_of(counts, surfaces, "", places);
}

std::array<double, 2> lengths_of_edges(const dg::Mesh& mesh, const core::Communicator& ranks) {
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (const auto& cell : mesh.cells) {
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const double length = dg::distance(mesh.vertices[dg::index(cell[a])], mesh.vertices[dg::index(cell[b])]);
        shortest = std::min(shortest, length);
        longest = std::max(longest, length);
      }
    }
  }
  ranks.min({&shortest, 1});
  ranks.max({&longest, 1});
  return {shortest, longest};
}

}  // namespace maxwell_dg::simulation
