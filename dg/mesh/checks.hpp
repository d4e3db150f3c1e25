#pragma once

#include <string>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// What is wrong with cells one by one: none at all, vertex numbers that do not exist, coordinates that are no
/// numbers, degenerate cells, inverted (left-handed) cells where orientation matters. Throws MeshError with the count,
/// the first place and a remedy.
void check_cells(const Mesh& mesh, const std::string& origin, Orientation orientation);

/// What is wrong between cells of a mesh in its final order: more than two cells on a face, duplicate vertices,
/// hanging vertices; each would silently cut the mesh in two. Only exterior faces are looked at, because a cut leaves
/// exterior faces. Throws MeshError like check_cells.
void check_conformity(const Mesh& mesh, const std::string& origin);

}  // namespace maxwell_dg::dg
