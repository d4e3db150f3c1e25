#pragma once

#include <cstddef>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// The point of a curved cell's face that is next to x. From the nearest of points on a lattice, by the method of Gauss
/// and Newton; to rounding where it lies within the face, and near that where it lies on an edge of it.
[[nodiscard]] Point nearest_on_curved_face(const Mesh& mesh, std::size_t cell, std::size_t face, const Point& x);

}  // namespace maxwell_dg::dg
