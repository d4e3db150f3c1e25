#include "dg/mesh/nearest_boundary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/quantity.hpp"
#include "dg/mesh/box_tree.hpp"

namespace maxwell_dg::dg {
namespace {

using core::brief;

Point beyond(const Point& from, const Point& direction, double by) {
  return {from[0] + by * direction[0], from[1] + by * direction[1], from[2] + by * direction[2]};
}

double distance_to_edge(const Point& x, const Point& a, const Point& b) {
  const Point edge = minus(b, a);
  return distance(x, beyond(a, edge, std::clamp(dot(minus(x, a), edge) / dot(edge, edge), 0.0, 1.0)));
}

/// To the plane where the point lies above the triangle, else to the nearest edge.
double distance_to_triangle(const Point& x, const std::array<Point, 3>& corners) {
  const auto& [a, b, c] = corners;
  const Point n = cross(minus(b, a), minus(c, a));
  const auto is_beside = [&](const Point& from, const Point& to) {
    return dot(cross(n, minus(to, from)), minus(x, from)) < 0;
  };
  if (!is_beside(a, b) && !is_beside(b, c) && !is_beside(c, a)) return std::abs(dot(n, minus(x, a))) / length(n);
  return std::min({distance_to_edge(x, a, b), distance_to_edge(x, b, c), distance_to_edge(x, c, a)});
}

}  // namespace

std::optional<NearestBoundary> nearest_boundary(const Mesh& mesh, const Connectivity& connectivity, const Point& x) {
  NearestBoundary nearest{.distance = std::numeric_limits<double>::infinity(), .surface = {}};
  for (const Connectivity::BoundaryFace& face : connectivity.boundary_faces) {
    std::array<Point, 3> corners;
    for (std::size_t i = 0; i < 3; ++i) {
      corners.at(i) = mesh.vertices[index(mesh.cells[index(face.cell)].at(face_vertices.at(index(face.face)).at(i)))];
    }
    const double away = distance_to_triangle(x, corners);
    if (!(away < nearest.distance)) continue;
    nearest = {.distance = away, .surface = face.surface < 0 ? "" : mesh.surfaces[index(face.surface)]};
  }
  if (connectivity.boundary_faces.empty()) return std::nullopt;
  return nearest;
}

std::string outside_text(const Mesh& mesh, const Connectivity& connectivity, const Point& x, const std::string& unit) {
  const BoundingBox box = bounding_box(mesh.vertices);
  const auto nearest = nearest_boundary(mesh, connectivity, x);
  std::string name;
  if (nearest && !nearest->surface.empty()) name = "'" + nearest->surface + "'";
  if (!box.contains(x, 0) || !nearest) {
    return "lies outside of the mesh, which spans " + text_of(box.min) + " to " + text_of(box.max) + unit;
  }
  return "lies in no element: the mesh has a hole there, or ends before; its nearest boundary" +
         (name.empty() ? ", without a name," : " is " + name + ",") + " " + brief(nearest->distance) + unit +
         " away: inside " + (name.empty() ? "a body that is not meshed" : name) + "?";
}

}  // namespace maxwell_dg::dg
