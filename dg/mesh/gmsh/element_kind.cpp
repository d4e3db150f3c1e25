#include "dg/mesh/gmsh/element_kind.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"

namespace maxwell_dg::dg {

std::vector<std::size_t> places_of_nodes(const ElementKind& kind, std::span<const double> coordinates) {
  if (kind.order > CurvedCells::highest_order) {
    throw MeshError("tetrahedra of order " + std::to_string(kind.order) +
                    "; curved ones may have order 2 to 9: mesh with a lower Mesh.ElementOrder");
  }
  const std::size_t count = kind.nodes;
  std::vector<std::size_t> places;
  std::vector<bool> is_taken(static_cast<std::size_t>(node_count(kind.order)), false);
  bool ok = count == is_taken.size() && coordinates.size() == 3 * count;
  for (std::size_t n = 0; ok && n < count; ++n) {
    GeometryNode node{kind.order, 0, 0, 0};
    for (std::size_t d = 0; d < 3; ++d) {
      const double steps = coordinates[3 * n + d] * kind.order;
      node[d + 1] = static_cast<int>(std::lround(steps));
      node[0] -= node[d + 1];
      ok = ok && std::abs(steps - node[d + 1]) < 1e-6;
    }
    ok = ok && *std::ranges::min_element(node) >= 0;
    if (!ok) break;
    places.push_back(number_of_node(kind.order, node));
    ok = !is_taken[places.back()];
    is_taken[places.back()] = true;
  }
  if (ok) return places;
  throw MeshError("elements of type '" + kind.name +
                  "', which lack nodes inside of edges, faces or themselves: mesh with Mesh.SecondOrderIncomplete = 0");
}

void add_geometry(Mesh& mesh, const ElementKind& kind, std::span<const std::size_t> tags) {
  CurvedCells& curved = mesh.curved;
  curved.number.push_back(-1);
  if (kind.order == 1) return;
  if (curved.order != 1 && curved.order != kind.order) {
    throw MeshError("tetrahedra of several orders in one mesh, " + std::to_string(curved.order) + " and " +
                    std::to_string(kind.order) + ": mesh all of it with one Mesh.ElementOrder");
  }
  curved.order = kind.order;
  std::vector<Point> nodes(tags.size());
  for (std::size_t n = 0; n < tags.size(); ++n) {
    if (tags[n] < 1 || tags[n] > mesh.vertices.size()) {
      throw MeshError("elements refer to nodes that the mesh does not have: the file is damaged, write it anew");
    }
    nodes[kind.place[n]] = mesh.vertices[tags[n] - 1];
  }
  std::array<Point, 4> corners;
  for (std::size_t a = 0; a < 4; ++a) corners[a] = mesh.vertices[tags[a] - 1];
  if (straighten_parts(corners, curved.order, geometry_nodes(curved.order), nodes)) return;
  curved.number.back() = static_cast<std::int32_t>(curved.count());
  curved.nodes.insert(curved.nodes.end(), nodes.begin(), nodes.end());
}

}  // namespace maxwell_dg::dg
