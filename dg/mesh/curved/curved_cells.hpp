#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dg/mesh/point.hpp"
#include "dg/reference/node_count.hpp"

namespace maxwell_dg::dg {

/// The geometry of those cells of a mesh that are not straight: polynomial maps of one order from the reference
/// tetrahedron (that of ReferenceElement), by their values at equidistant nodes.
///
/// Node (i, j, k), with i, j, k >= 0 and i + j + k <= order, is the image of r = -1 + 2i/order, s = -1 + 2j/order,
/// t = -1 + 2k/order. The nodes of a cell are listed with i running fastest, then j, then k. The corners among them are
/// the cell's vertices, in the order in which Mesh::cells has them. As the vertices of each cell of a prepared mesh
/// ascend, both cells at a face list its nodes alike, and the map of a left-handed cell has a negative determinant.
///
/// Every other cell is straight, and so is each face between a straight and a curved cell.
struct CurvedCells {
  static constexpr int highest_order = 9;

  int order = 1;                     ///< of the maps, 2 to 9; 1: no cell is curved
  std::vector<std::int32_t> number;  ///< [cell] its number among the curved cells, -1: straight; empty: none is curved
  std::vector<Point> nodes;          ///< [curved cell][node]; curved cells are numbered in the order of the cells

  [[nodiscard]] bool any() const { return !number.empty(); }
  [[nodiscard]] bool is_curved(std::size_t cell) const { return any() && number[cell] >= 0; }
  [[nodiscard]] std::size_t nodes_a_cell() const { return static_cast<std::size_t>(node_count(order)); }
  [[nodiscard]] std::size_t count() const { return nodes.size() / nodes_a_cell(); }
  /// The nodes of a curved cell, by the number of the cell in the mesh.
  [[nodiscard]] std::span<const Point> nodes_of(std::size_t cell) const;
  [[nodiscard]] std::span<Point> nodes_of(std::size_t cell);

  /// Whether the lists fit each other and a mesh of so many cells: what a file says has to be asked.
  [[nodiscard]] bool fits(std::size_t cells) const;

  /// New cell k is old cell `old[k]`, or a straight one: -1. Cells that are left out are dropped.
  void reorder(std::span<const std::int32_t> old);
  /// Vertex a of a cell becomes the one that was vertex `old[a]`.
  void turn(std::size_t cell, const std::array<std::size_t, 4>& old);
  /// Only curved cells for which `keep[number]` holds stay curved.
  void keep_only(const std::vector<bool>& keep);
};

/// How far a node is from the faces: its barycentric coordinates for the cell's four vertices, times the order. They
/// sum to the order: those of node (i, j, k) are order - i - j - k, i, j, k.
using GeometryNode = std::array<int, 4>;

/// [node] In the order that CurvedCells documents.
[[nodiscard]] std::vector<GeometryNode> geometry_nodes(int order);

/// Where a node is in that order.
[[nodiscard]] constexpr std::size_t number_of_node(int order, const GeometryNode& node) {
  const auto [_, i, j, k] = node;
  const int layers = node_count(order) - node_count(order - k);
  const int rows = face_node_count(order - k) - face_node_count(order - k - j);
  return static_cast<std::size_t>(layers + rows + i);
}

}  // namespace maxwell_dg::dg
