#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/quantity.hpp"
#include "dg/mesh/checks.hpp"
#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/curved/folded_cells.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

namespace {

/// The nodes of a face as the cell has them, from its first vertex, in the order of its vertices.
std::vector<Point> nodes_of_face(const Mesh& mesh, std::size_t cell, std::size_t face,
                                 const std::vector<GeometryNode>& places) {
  const auto corners = corners_of(mesh, cell);
  const Point& first = corners[face_vertices[face][0]];
  const auto opposite = static_cast<std::size_t>(ReferenceElement::opposite_vertex[face]);
  std::vector<Point> nodes;
  for (std::size_t n = 0; n < places.size(); ++n) {
    if (places[n][opposite] != 0) continue;
    const Point node = mesh.curved.is_curved(cell) ? mesh.curved.nodes_of(cell)[n]
                                                   : straight_node(corners, mesh.curved.order, places[n]);
    nodes.push_back(minus(node, first));
  }
  return nodes;
}

double longest_edge_of_face(const Mesh& mesh, std::size_t cell, std::size_t face) {
  const auto corners = corners_of(mesh, cell);
  const auto& [a, b, c] = face_vertices[face];
  return std::max(
      {distance(corners[a], corners[b]), distance(corners[b], corners[c]), distance(corners[c], corners[a])});
}

Point center_of_face(const Mesh& mesh, std::size_t cell, std::size_t face) {
  const auto& [a, b, c] = face_vertices[face];
  const auto& vertices = mesh.cells[cell];
  return centroid(mesh, std::array{vertices[a], vertices[b], vertices[c]});
}

double longest_edge_of_cell(const Mesh& mesh, std::size_t cell) {
  double longest = 0;
  for (std::size_t f = 0; f < 4; ++f) longest = std::max(longest, longest_edge_of_face(mesh, cell, f));
  return longest;
}

void check_determinants(const Mesh& mesh, const std::string& origin, std::optional<int> meshed_in_order) {
  const std::vector<FoldedCell> cells = folded_cells(mesh);
  if (cells.empty()) return;
  Findings folded;
  for (const FoldedCell& cell : cells) folded.add(cell.where);
  std::string remedy =
      "take smaller elements there or a lower order of the geometry in Gmsh, which may mend them with "
      "Mesh.HighOrderOptimize = 2";
  if (meshed_in_order) {
    const std::string order = std::to_string(mesh.curved.order);
    std::string lower = " long, or a mesh.order below " + std::to_string(*meshed_in_order);
    if (*meshed_in_order == 0) {
      lower = can_mend(mesh.curved.order, cells.size())
                  ? " long, or mesh.order: " + order + ", with which Gmsh's optimizer is to mend such elements, or 1"
                  : std::string(" long, or mesh.order: 1");
    }
    remedy = "take a mesh.size below the edges there, " + core::brief(longest_edge_of_cell(mesh, cells.front().cell)) +
             lower + "; straight elements, of order 1, cannot fold over";
  }
  folded.require_none(origin, "curved tetrahedron that folds over (its Jacobian changes sign)",
                      "curved tetrahedra that fold over (their Jacobians change sign)", remedy);
}

}  // namespace

Findings faces_that_differ(const Mesh& mesh, const Connectivity& connectivity) {
  Findings differing;
  if (!mesh.curved.any()) return differing;
  const auto places = geometry_nodes(mesh.curved.order);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (!mesh.curved.is_curved(k)) continue;
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t other = connectivity.neighbours[k][f];
      if (other < 0) continue;
      const std::size_t neighbour = index(other / 4);
      if (neighbour < k && mesh.curved.is_curved(neighbour)) continue;  // it has compared them
      const auto here = nodes_of_face(mesh, k, f, places);
      const auto there = nodes_of_face(mesh, neighbour, index(other % 4), places);
      double farthest = 0;
      for (std::size_t n = 0; n < here.size(); ++n) farthest = std::max(farthest, distance(here[n], there[n]));
      if (farthest > conforming_tolerance * longest_edge_of_face(mesh, k, f)) {
        differing.add(center_of_face(mesh, k, f));
      }
    }
  }
  return differing;
}

void check_curved_corners(const Mesh& mesh, const std::string& origin) {
  const CurvedCells& curved = mesh.curved;
  Findings apart;
  for (std::size_t k = 0; curved.any() && k < mesh.cells.size(); ++k) {
    if (!curved.is_curved(k)) continue;
    const auto corners = corners_of(mesh, k);
    double size = 0, farthest = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      GeometryNode corner{};
      corner[a] = curved.order;
      farthest = std::max(farthest, distance(curved.nodes_of(k)[number_of_node(curved.order, corner)], corners[a]));
      size = std::max(size, distance(corners[a], corners[(a + 1) % 4]));
    }
    if (farthest > conforming_tolerance * size) apart.add(centroid(mesh, mesh.cells[k]));
  }
  apart.require_none(origin, "curved tetrahedron whose corners are not its vertices",
                     "curved tetrahedra whose corners are not their vertices",
                     "their nodes are listed in another order than their vertices; write the mesh anew");
}

void check_curved(const Mesh& mesh, const std::string& origin, std::optional<int> meshed_in_order) {
  if (!mesh.curved.any()) return;
  faces_that_differ(mesh, Connectivity::make(mesh, origin))
      .require_none(origin, "face that is curved differently on its two sides",
                    "faces that are curved differently on their two sides",
                    "neighbours must share the nodes of their face, or there is a gap; write the mesh anew");
  check_determinants(mesh, origin, meshed_in_order);
}

}  // namespace maxwell_dg::dg
