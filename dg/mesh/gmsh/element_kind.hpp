#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// What Gmsh says of one of its types of elements.
struct ElementKind {
  std::string name;
  int order{};
  std::size_t nodes{};
  std::size_t corners{};
  std::vector<std::size_t> place;  ///< [node] of tetrahedra of order 2 to 9: which node of CurvedCells it is
};

/// Where the nodes of a tetrahedron lie in the order of CurvedCells, by their coordinates u, v, w from 0 to 1, as Gmsh
/// lists them. Throws MeshError where they are not all the equidistant ones of the order, or the order is above 9.
[[nodiscard]] std::vector<std::size_t> places_of_nodes(const ElementKind& kind, std::span<const double> coordinates);

/// Adds the geometry of the tetrahedron that was added to `mesh.cells` last. `tags` are its nodes, which count from 1
/// in `mesh.vertices`. Throws MeshError for a node that there is not, and for a second order in a mesh.
void add_geometry(Mesh& mesh, const ElementKind& kind, std::span<const std::size_t> tags);

}  // namespace maxwell_dg::dg
