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

}  // namespace maxwell_dg::dg
