#pragma once

#include <cstddef>
#include <vector>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// How many faces of a named surface have an element on one side only (the outside of the mesh, periodic surfaces
/// too), and how many lie between two elements.
struct SurfaceSides {
  std::size_t outer{}, between{};
  [[nodiscard]] std::size_t all() const { return outer + between; }
};

/// [surface] of a prepared mesh. O(K), and O(log) of the number of named faces for each face near one.
[[nodiscard]] std::vector<SurfaceSides> surface_sides(const Mesh& mesh);

}  // namespace maxwell_dg::dg
