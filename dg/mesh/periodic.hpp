#pragma once

#include <span>
#include <string>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// Two surfaces that are one but for a translation: what leaves through either comes in through the other.
struct PeriodicPair {
  std::string first, second;  ///< names of surfaces
  std::string place;          ///< who asks for it, in front of errors
};

/// Joins pairs of surfaces of a prepared mesh: partners get one Mesh::identity, and the vertices of each cell are
/// sorted by it. Positions stay as they are. Surfaces that meet at edges may all be joined. Each pair's translation is
/// the difference of the mean vertices; partners lie within 1e-6 of the surface's longest edge. O(K).
///
/// Throws MeshError where the surfaces differ (in the number of vertices, their places, the triangles between them, or
/// how these are curved),
/// and where the mesh has fewer than three cells from one to the other, so that two cells would meet twice; and
/// std::invalid_argument for names that the mesh does not have.
void join_periodic(Mesh& mesh, std::span<const PeriodicPair> pairs);

}  // namespace maxwell_dg::dg
