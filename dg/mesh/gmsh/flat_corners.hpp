#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include "dg/mesh/point.hpp"

namespace maxwell_dg::dg {

/// Straight tetrahedra of a geometry, before they are curved.
struct Tetrahedra {
  std::vector<Point> points;
  std::vector<std::array<int, 4>> cells;  ///< numbers of points, right-handed
  std::vector<int> volume;                ///< [cell]
};

/// The edges on surfaces, {lower, higher number of a point}, with the surfaces that each is on.
using SurfaceEdges = std::map<std::array<int, 2>, std::vector<int>>;

/// Whether two surfaces have the same tangent plane at a point of both.
using AreTangent = std::function<bool(int point, int, int)>;

/// A corner whose three edges lie in one curved surface becomes flat when the edges are curved: there the cell's map
/// has no inverse, however fine the mesh is. A mesh generator makes such cells, most of them with two faces on the
/// surface. Here the cells around an edge opposite to such a corner, which lies within the volume, are halved; where
/// there is no such edge, the cell is cut into four at its centre. New points are added behind the others, new cells
/// behind the others or in place of the old. Returns how many cells had such corners.
std::size_t cut_flat_corners(Tetrahedra& mesh, const SurfaceEdges& surfaces, const AreTangent& are_tangent);

}  // namespace maxwell_dg::dg
