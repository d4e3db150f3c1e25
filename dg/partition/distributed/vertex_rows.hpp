#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "dg/mesh/box_tree.hpp"
#include "dg/partition/distributed/slices.hpp"

namespace maxwell_dg::dg {

/// Of the cells that have a vertex the least number in the whole mesh, and the least before cells that count as
/// curved were put behind the others (count_as_curved). Vertices ascend by both, and then by their numbers in the file.
struct FirstCell {
  std::int32_t number, before;
  auto operator<=>(const FirstCell&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0 in it
};

/// Some vertices of a mesh, [vertex] ascending by their numbers in the file.
struct VertexRows {
  NumberSet numbers;
  std::vector<Point> at;
  std::vector<FirstCell> first_cell;
  std::map<std::string, std::vector<double>> values;  ///< Mesh::vertex_values
};

/// The vertices of a mesh, of which each rank has read an equal slice of the file.
class VertexSlice {
 public:
  VertexSlice(const MeshRows& rows, const core::Communicator& ranks);

  /// Of the whole mesh. Collective.
  [[nodiscard]] BoundingBox bounding_box() const;
  /// Tells the vertices' first cells, from what each rank knows of some: vertex ascending[i] is
  /// in cells[i]. Returns
  /// how many vertices of the whole mesh no cell has. Collective.
  std::size_t set_first_cells(std::span<const std::int32_t> ascending, std::span<const FirstCell> cells);
  [[nodiscard]] std::vector<Point> positions(std::span<const std::int32_t> ascending) const;  ///< collective
  /// Collective; after set_first_cells.
  [[nodiscard]] VertexRows rows(std::span<const std::int32_t> numbers) const;

 private:
  core::Communicator ranks_;
  Slices slices_;
  std::vector<Point> at_;
  std::vector<FirstCell> first_cell_;
  std::map<std::string, std::vector<double>> values_;
};

}  // namespace maxwell_dg::dg
