#pragma once

#include <cstdint>
#include <vector>

#include "dg/mesh/enclosing_surface.hpp"
#include "dg/mesh/geometry.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// Of a face of a straight cell.
[[nodiscard]] double face_area(const Mesh& mesh, const ElementFace& face);

/// Faces in one plane, with what bounds them; faces and edges may be curved in the plane.
struct PlanarPatch {
  Point normal;  ///< unit, outward of the elements
  double area;
  std::vector<std::vector<std::int32_t>> outlines;  ///< closed loops of vertices, the longest first

  /// Throws std::invalid_argument where the faces do not lie in one plane, or their outline touches itself.
  [[nodiscard]] static PlanarPatch make(const Mesh& mesh, const Geometry& geometry,
                                        const std::vector<ElementFace>& faces);
};

/// A rectangle: from the corner along two unit directions, u the longer. Directions point to the positive of the
/// coordinate axis that is nearest to them; of a square, u is the one whose axis comes first.
struct Rectangle {
  Point corner, u, v;
  double a, b;  ///< sides along u and v

  /// Throws std::invalid_argument where the patch is none.
  [[nodiscard]] static Rectangle of(const Mesh& mesh, const PlanarPatch& patch);
  /// It and its mirror image in the plane where a coordinate is 0, as one; itself where no side of it lies there.
  [[nodiscard]] Rectangle with_mirror_image(std::size_t axis) const;
};

}  // namespace maxwell_dg::dg
