#pragma once

#include <functional>
#include <string>

#include "dg/mesh/mesh.hpp"

/// What tests of curved cells need.
namespace maxwell_dg::dg::testing {

/// A smooth map of space, to curve a mesh by (dg/mesh/curved/curved_mesh.hpp): waves of up to `by` along each axis,
/// without symmetry. `seed` picks one of many.
[[nodiscard]] std::function<Point(const Point&)> waves(double by, unsigned seed = 1);

/// A cube of 48 cells, straight where x < 1/2, and so is the plane between; the others have maps of this order.
[[nodiscard]] Mesh half_curved_cube(int order);

/// random_mesh, straight in about half of its cells, with maps of this order in the others.
[[nodiscard]] Mesh half_curved_random_mesh(int cells, int order);

/// The straight mesh with maps of this order for the cells that `is_curved` picks, straight as they are.
[[nodiscard]] Mesh straight_as_curved(Mesh mesh, int order, const std::function<bool(std::size_t cell)>& is_curved);

/// The volume of a region, with the maps of its curved cells: exact.
[[nodiscard]] double volume_of_region(const Mesh& mesh, const std::string& region);

}  // namespace maxwell_dg::dg::testing
