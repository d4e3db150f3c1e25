#pragma once

#include <array>
#include <functional>
#include <string>

#include "dg/mesh/mesh.hpp"

/// What people are told about a mesh.
namespace maxwell_dg {

/// "120 in 'air', 24 in 'ball'"
[[nodiscard]] std::string elements_by_region(const dg::Mesh& mesh);
/// "24 in 'wall', 12 in 'surface_2' at z = 3 mm", the plane of what has no other name than its number; "none" where no
/// face has a name.
[[nodiscard]] std::string faces_by_surface(const dg::Mesh& mesh, const std::function<std::string(double)>& length);
/// The shortest and the longest distance between two vertices of a tetrahedron.
[[nodiscard]] std::array<double, 2> lengths_of_edges(const dg::Mesh& mesh);

}  // namespace maxwell_dg
