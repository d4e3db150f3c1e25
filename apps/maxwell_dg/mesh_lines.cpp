#include "apps/maxwell_dg/mesh_lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/point.hpp"

namespace maxwell_dg {
namespace {

/// " at z = 12 mm" of what lies in such a plane, else "".
std::string plane_of(const dg::BoundingBox& box, const dg::BoundingBox& whole,
                     const std::function<std::string(double)>& length) {
  const double tolerance = 1e-9 * dg::distance(whole.min, whole.max);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (box.max[axis] - box.min[axis] > tolerance) continue;
    const double at = std::abs(box.min[axis]) < tolerance ? 0 : box.min[axis];
    return std::string(" at ") + "xyz"[axis] + " = " + length(at);
  }
  return "";
}

/// counts[0] is of those without a name.
std::string list_of(const std::vector<std::size_t>& counts, const std::vector<std::string>& names,
                    const std::string& unnamed, const std::vector<std::string>& places = {}) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    text +=
        (text.empty() ? "" : ", ") + std::to_string(counts[i]) + " in " + (i == 0 ? unnamed : "'" + names[i - 1] + "'");
    if (i > 0 && !places.empty()) text += places[i - 1];
  }
  return text.empty() ? "none" : text;
}

}  // namespace

std::string elements_by_region(const dg::Mesh& mesh) {
  std::vector<std::size_t> counts(mesh.regions.size() + 1, 0);
  for (const std::int32_t region : mesh.cell_region) ++counts[static_cast<std::size_t>(region + 1)];
  return list_of(counts, mesh.regions, "no region");
}

std::string faces_by_surface(const dg::Mesh& mesh, const std::function<std::string(double)>& length) {
  std::vector<std::size_t> counts(mesh.surfaces.size() + 1, 0);
  std::vector<std::vector<dg::Point>> points(mesh.surfaces.size());
  for (const auto& face : mesh.surface_faces) {
    ++counts[dg::index(face.surface) + 1];
    for (const std::int32_t v : face.vertices) points[dg::index(face.surface)].push_back(mesh.vertices[dg::index(v)]);
  }
  const dg::BoundingBox whole = dg::bounding_box(mesh.vertices);
  std::vector<std::string> places;
  for (std::size_t s = 0; s < points.size(); ++s) {
    places.push_back(mesh.surfaces[s].starts_with("surface_") && !points[s].empty()
                         ? plane_of(dg::bounding_box(points[s]), whole, length)
                         : "");
  }
  return list_of(counts, mesh.surfaces, "", places);
}

std::array<double, 2> lengths_of_edges(const dg::Mesh& mesh) {
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (const auto& cell : mesh.cells) {
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const double length = dg::distance(mesh.vertices[dg::index(cell[a])], mesh.vertices[dg::index(cell[b])]);
        shortest = std::min(shortest, length);
        longest = std::max(longest, length);
      }
    }
  }
  return {shortest, longest};
}

}  // namespace maxwell_dg
