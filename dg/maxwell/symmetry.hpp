#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

/// Planes in which fields are their own mirror image, so that a half, a quarter or an eighth of a problem is enough.
namespace maxwell_dg::dg::maxwell {

/// The plane through the origin where a coordinate is 0. In an electric one tangential E vanishes, as on a perfect
/// electric conductor; in a magnetic one tangential H.
struct SymmetryPlane {
  enum class Kind { electric, magnetic };
  std::size_t axis{};  ///< the coordinate: 0, 1, 2
  Kind kind{Kind::electric};
};

/// "x = 0"
[[nodiscard]] std::string name_of(const SymmetryPlane& plane);

/// A part of the whole problem, mirrored from the part that is computed: at (position x), component by component, are
/// the fields (E times E at x, H times H at x). All factors are 1 or -1. J is mirrored like E, and a magnetic current
/// like H.
struct MirrorImage {
  std::array<double, 3> position{1, 1, 1}, E{1, 1, 1}, H{1, 1, 1};
};

/// All parts of the whole, 2 to the power of the number of planes; the first is the part itself. The planes are
/// different ones.
///
/// In an electric plane with unit normal n, E' = -R E and H' = R H at R x with R = 1 - 2 n n^T; in a magnetic one E' =
/// R E and H' = -R H (Balanis, Advanced Engineering Electromagnetics, 2nd ed. 2012, section 7.4).
[[nodiscard]] std::vector<MirrorImage> mirror_images(std::span<const SymmetryPlane> planes);

/// How many parts the whole has.
[[nodiscard]] double parts_of_whole(std::span<const SymmetryPlane> planes);

/// Adds to the system what holds at the faces of such a plane, and returns the index of this boundary.
int add_symmetry(System& system, SymmetryPlane::Kind kind);

/// Lengths below which a mesh of this size lies in a plane.
[[nodiscard]] double symmetry_tolerance(const Mesh& mesh);
/// The same by the box around the mesh.
[[nodiscard]] double symmetry_tolerance(const BoundingBox& box);

/// Do all vertices of an element's face lie in the plane?
[[nodiscard]] bool lies_in(const SymmetryPlane& plane, const Mesh& mesh, std::size_t element, int face,
                           double tolerance);

/// The plane in which both ends of an edge lie; nullptr: none of them.
[[nodiscard]] const SymmetryPlane* plane_of_edge(const Mesh& mesh, std::span<const SymmetryPlane> planes,
                                                 std::int32_t from, std::int32_t to);

}  // namespace maxwell_dg::dg::maxwell
