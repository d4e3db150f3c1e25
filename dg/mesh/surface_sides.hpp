#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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

/// The number of the named face that has these vertices, in any order, among `faces`, ascending by their vertices, as
/// Mesh::surface_faces is in a prepared mesh; nothing if none has them. O(log n).
[[nodiscard]] std::optional<std::size_t> find_named_face(const std::vector<Mesh::SurfaceFace>& faces,
                                                         std::array<std::int32_t, 3> vertices);

/// The same for most faces of a mesh: of faces that have a vertex which no named face has it takes O(1).
class NamedFaceSearch {
 public:
  /// `faces`, which must outlive it, are of a mesh with so many vertices.
  NamedFaceSearch(const std::vector<Mesh::SurfaceFace>& faces, std::size_t vertices);
  [[nodiscard]] std::optional<std::size_t> find(const std::array<std::int32_t, 3>& vertices) const;

 private:
  const std::vector<Mesh::SurfaceFace>& faces_;
  std::vector<bool> is_near_;  ///< [vertex]
};

/// The vertices of a face of a cell, ascending by their numbers.
[[nodiscard]] std::array<std::int32_t, 3> vertices_of_face(const Mesh& mesh, std::size_t cell, std::size_t face);

}  // namespace maxwell_dg::dg
