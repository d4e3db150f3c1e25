#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "dg/partition/distributed/cell_rows.hpp"
#include "dg/partition/distributed/vertex_rows.hpp"

namespace maxwell_dg::dg {

/// Which vertices are one, of a mesh whose periodic surfaces are joined: by its number in the file, which one stands
/// for it, itself or another. Others stand for themselves.
using VertexClasses = std::map<std::int32_t, std::int32_t>;

/// A part of a mesh as `prepare` and `join_periodic` would have it in the whole: cells in the order given, vertices in
/// the order of the whole, those of each cell ascending by what stands for them. Its named faces are those of the first
/// `own` cells, out of `faces`, with vertices by their numbers in the file. `vertices` are those of all cells, and
/// those that stand for them. Throws MeshError for a face with two names.
struct AssembledMesh {
  Mesh mesh;
  std::vector<std::int32_t> file_vertices;  ///< [vertex of the mesh] in the file
};
[[nodiscard]] AssembledMesh assembled(const CellRows& cells, std::size_t own, const VertexRows& vertices,
                                      const VertexClasses& classes, std::span<const Mesh::SurfaceFace> faces,
                                      const MeshRows::Content& names);

}  // namespace maxwell_dg::dg
