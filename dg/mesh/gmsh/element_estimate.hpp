#pragma once

#include <string>

#include "dg/mesh/gmsh/request.hpp"

namespace maxwell_dg::dg {

/// Of so many tetrahedra, or more by its estimate, no mesh is made; Gmsh takes a quarter of an hour to make them.
inline constexpr double most_estimated_elements = 2e7;

/// How many tetrahedra a mesh of the volume has whose edges have the length `size` where nothing asks for shorter ones:
/// 4.6 volume / size^3, measured on a box and on a ball with 5,000 to 700,000 tetrahedra (4.5 to 5.0).
[[nodiscard]] constexpr double estimated_elements(double volume, double size) {
  return 4.6 * volume / (size * size * size);
}

/// Of the geometry that is open in Gmsh and not meshed yet, where mesh.size is asked for: a line with the estimate
/// where it will take long, if OpenCASCADE has drawn it, or one that says that the size is longer than the whole; else
/// "". Throws MeshError, without the file's name, for more than most_estimated_elements.
[[nodiscard]] std::string estimate_elements(const GmshRequest& request);

}  // namespace maxwell_dg::dg
