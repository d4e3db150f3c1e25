#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// Counts findings of one kind and remembers where the first one is.
struct Findings {
  std::size_t count{};
  Point first{};
  void add(const Point& at);
  /// Throws MeshError where there are some. `one`, `many`: the kind in the singular and the plural.
  void require_none(const std::string& origin, const std::string& one, const std::string& many,
                    const std::string& remedy) const;
};

/// What is wrong with cells one by one: none at all, vertex numbers that do not exist, coordinates that are no
/// numbers, degenerate cells, inverted (left-handed) cells where orientation matters. Throws MeshError with the count,
/// the first place and a remedy: of a geometry that was `just_meshed`, by the keys of a config.
void check_cells(const Mesh& mesh, const std::string& origin, Orientation orientation, bool just_meshed = false);

/// What is wrong between cells of a mesh in its final order: more than two cells on a face, duplicate vertices,
/// hanging vertices; each would silently cut the mesh in two. Only exterior faces are looked at, because a cut leaves
/// exterior faces. Throws MeshError like check_cells.
void check_conformity(const Mesh& mesh, const std::string& origin);

/// A face on the outside of a mesh. Equal numbers are equal vertices.
struct OuterTriangle {
  std::array<std::int32_t, 3> vertices;
  std::array<Point, 3> corners;
};
[[nodiscard]] std::vector<OuterTriangle> outer_triangles(const Mesh& mesh, const Connectivity& connectivity);
/// The part of check_conformity that looks for vertices which coincide or hang: those of some of the triangles on the
/// outside, among all of these.
void check_outside(std::span<const OuterTriangle> all, std::span<const OuterTriangle> some, const std::string& origin);

/// What is wrong with the geometry of curved cells before it is known which of them are: nodes at corners that are not
/// where the vertices are. Needs the lists to fit (CurvedCells::fits). Throws MeshError like check_cells.
void check_curved_corners(const Mesh& mesh, const std::string& origin);

/// What is wrong with it in the end (see find_curved): faces that differ on their two sides by more than
/// `conforming_tolerance` of their longest edge, and maps that are not invertible everywhere
/// (dg/mesh/curved/determinant.hpp). Throws MeshError like check_cells. `meshed_in_order`: see prepare.
void check_curved(const Mesh& mesh, const std::string& origin, std::optional<int> meshed_in_order = {});
inline constexpr double conforming_tolerance = 1e-8;

/// The faces of curved cells that do.
[[nodiscard]] Findings faces_that_differ(const Mesh& mesh, const Connectivity& connectivity);

}  // namespace maxwell_dg::dg
