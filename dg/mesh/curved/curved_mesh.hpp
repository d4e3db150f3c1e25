#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// How far the nodes of an edge, a face or a cell may be from where a straight one has them, against its longest edge,
/// and count as straight. A file's 16 digits are enough for it where the mesh is less than some 1e5 elements across.
inline constexpr double straight_tolerance = 1e-9;

/// Where the vertices of a cell are.
[[nodiscard]] std::array<Point, 4> corners_of(const Mesh& mesh, std::size_t cell);

/// Where a straight cell with these vertices has a node. The vertices of a face in the same order give the same bits on
/// both of its sides.
[[nodiscard]] Point straight_node(const std::array<Point, 4>& corners, int order, const GeometryNode& node);

/// Sorts the vertices of a cell, and the nodes of its geometry along with them.
template <class Before>
void sort_vertices(Mesh& mesh, std::size_t cell, const Before& before) {
  auto& vertices = mesh.cells[cell];
  if (!mesh.curved.is_curved(cell)) return std::sort(vertices.begin(), vertices.end(), before);
  std::array<std::size_t, 4> old{0, 1, 2, 3};
  const auto unsorted = vertices;
  std::sort(old.begin(), old.end(), [&](std::size_t a, std::size_t b) { return before(unsorted[a], unsorted[b]); });
  for (std::size_t a = 0; a < 4; ++a) vertices[a] = unsorted[old[a]];
  mesh.curved.turn(cell, old);
}

/// Makes exactly straight what of a cell is straight to straight_tolerance: edges, faces, the whole; vertices are its
/// corners anyway. Whether an edge or a face is depends on nothing but itself, so all cells that share it agree.
/// Returns whether the whole cell is straight.
[[nodiscard]] bool straighten_parts(const std::array<Point, 4>& corners, int order,
                                    std::span<const GeometryNode> places, std::span<Point> nodes);

/// Finds out which of the cells that have a geometry are curved, to straight_tolerance; the others are straight from
/// here on. Edges and faces that are straight within it become so exactly. Needs the vertices of each cell to ascend.
void find_curved(Mesh& mesh);

/// Gives straight cells, [cell] those chosen, maps with the nodes of straight ones, of this order or of 2 where it is
/// less: they count as curved.
void add_straight_maps(Mesh& mesh, const std::vector<bool>& chosen, int order);

/// Adds a shift to each vertex. The nodes of curved cells get the shifts of their vertices, interpolated linearly.
void move_vertices(Mesh& mesh, std::span<const Point> shift);

/// Moves a prepared straight mesh by a smooth map, in polynomials of an order from 1 to 9: its nodes lie where the map
/// has those of the straight mesh. Cells that stay straight are. Throws std::invalid_argument for another order or a
/// mesh that has curved cells.
void curve(Mesh& mesh, int order, const std::function<Point(const Point&)>& map);

}  // namespace maxwell_dg::dg
