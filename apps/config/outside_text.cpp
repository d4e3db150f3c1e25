#include "apps/config/outside_text.hpp"

#include <algorithm>
#include <cmath>

#include "apps/config/unit_guess.hpp"
#include "dg/maxwell/symmetry.hpp"
#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/nearest_boundary.hpp"

namespace maxwell_dg::config {
namespace {

/// "; its image in the plane of symmetry x = 0, (1, 0, 0) m, lies in the mesh ..." of a point in a mirrored part; else
/// "".
std::string image_hint(const Config& config, const Vector3& point, const dg::PointLocator& locator) {
  for (const dg::maxwell::MirrorImage& part : dg::maxwell::mirror_images(config.symmetry)) {
    dg::Point image = point;
    for (std::size_t axis = 0; axis < 3; ++axis) image[axis] *= part.position[axis];
    if (!locator.locate(image)) continue;
    std::string planes;
    for (const dg::maxwell::SymmetryPlane& plane : config.symmetry) {
      if (part.position.at(plane.axis) < 0) planes += (planes.empty() ? "" : " and ") + name_of(plane);
    }
    return "; its mirror image at " + planes + ", " + dg::text_of(image) + unit_in(config.units, " m") +
           ", lies in the mesh: `symmetry` leaves the other part to it, so take that point, where fields are the same "
           "but for signs";
  }
  return "";
}

}  // namespace

std::string outside_text(const Config& config, const std::string& key, const Vector3& point, const dg::Mesh& mesh,
                         const dg::Connectivity& connectivity, const dg::PointLocator& locator) {
  std::string text = dg::outside_text(mesh, connectivity, point, unit_in(config.units, " m"));
  if (const std::string hint = image_hint(config, point, locator); !hint.empty()) return text + hint;
  constexpr double far_away = 10;  // a point just beside the mesh, or in a hole of it, has the right unit
  const dg::BoundingBox box = dg::bounding_box(mesh.vertices);
  double reach = 0, largest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    reach = std::max({reach, std::abs(box.min[axis]), std::abs(box.max[axis])});
    largest = std::max(largest, std::abs(point[axis]));
  }
  if (largest < far_away * reach) return text;
  return text + guess_of_units(config, key, point, [&](const Vector3& p) { return locator.locate(p).has_value(); });
}

}  // namespace maxwell_dg::config
