#include "dg/mesh/nearest_boundary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/quantity.hpp"
#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/curved/nearest_on_face.hpp"

namespace maxwell_dg::dg {
namespace {

using core::brief;

Point beyond(const Point& from, const Point& direction, double by) {
  return {from[0] + by * direction[0], from[1] + by * direction[1], from[2] + by * direction[2]};
}

Point nearest_on_edge(const Point& x, const Point& a, const Point& b) {
  const Point edge = minus(b, a);
  return beyond(a, edge, std::clamp(dot(minus(x, a), edge) / dot(edge, edge), 0.0, 1.0));
}

/// In its plane where the point lies above the triangle, else on the nearest edge.
Point nearest_on_triangle(const Point& x, const std::array<Point, 3>& corners) {
  const auto& [a, b, c] = corners;
  const Point n = cross(minus(b, a), minus(c, a));
  const auto is_beside = [&](const Point& from, const Point& to) {
    return dot(cross(n, minus(to, from)), minus(x, from)) < 0;
  };
  if (!is_beside(a, b) && !is_beside(b, c) && !is_beside(c, a)) return beyond(x, n, dot(n, minus(a, x)) / dot(n, n));
  const std::array on_edges{nearest_on_edge(x, a, b), nearest_on_edge(x, b, c), nearest_on_edge(x, c, a)};
  return *std::ranges::min_element(on_edges, {}, [&](const Point& p) { return distance(p, x); });
}

/// How far the nodes of a curved cell are from where the straight one has them: what its faces may bulge by, or more.
double bulge(const Mesh& mesh, std::size_t cell) {
  if (!mesh.curved.is_curved(cell)) return 0;
  const auto corners = corners_of(mesh, cell);
  const auto nodes = mesh.curved.nodes_of(cell);
  const auto places = geometry_nodes(mesh.curved.order);
  double farthest = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    farthest = std::max(farthest, distance(nodes[n], straight_node(corners, mesh.curved.order, places[n])));
  }
  return 2 * farthest;  // a smooth surface goes beyond its nodes by less
}

}  // namespace

std::optional<NearestBoundary> nearest_boundary(const Mesh& mesh, const Connectivity& connectivity, const Point& x) {
  NearestBoundary nearest{.distance = std::numeric_limits<double>::infinity(), .at = {}, .surface = {}};
  for (const Connectivity::BoundaryFace& face : connectivity.boundary_faces) {
    if (face.is_inside()) continue;
    const std::size_t k = index(face.cell);
    std::array<Point, 3> corners;
    for (std::size_t i = 0; i < 3; ++i) {
      corners.at(i) = mesh.vertices[index(mesh.cells[k].at(face_vertices.at(index(face.face)).at(i)))];
    }
    Point at = nearest_on_triangle(x, corners);
    if (!(distance(at, x) - bulge(mesh, k) < nearest.distance)) continue;
    if (mesh.curved.is_curved(k)) at = nearest_on_curved_face(mesh, k, index(face.face), x);
    if (!(distance(at, x) < nearest.distance)) continue;
    nearest = {
        .distance = distance(at, x), .at = at, .surface = face.surface < 0 ? "" : mesh.surfaces[index(face.surface)]};
  }
  if (connectivity.boundary_faces.empty()) return std::nullopt;
  return nearest;
}

std::string outside_text(const Mesh& mesh, const Connectivity& connectivity, const Point& x, const std::string& unit) {
  const BoundingBox box = extent_of(mesh);
  const auto nearest = nearest_boundary(mesh, connectivity, x);
  std::string name;
  if (nearest && !nearest->surface.empty()) name = "'" + nearest->surface + "'";
  if (!box.contains(x, 0) || !nearest) {
    return "lies outside of the mesh, which spans " + text_of(box.min) + " to " + text_of(box.max) + unit;
  }
  return "lies in no element: the mesh has a hole there, or ends before; its nearest boundary" +
         (name.empty() ? ", without a name," : " is " + name + ",") + " " + brief(nearest->distance) + unit +
         " away, at " + text_of(nearest->at) + unit + ": inside " +
         (name.empty() ? "a body that is not meshed" : name + ", or behind it") + "?";
}

}  // namespace maxwell_dg::dg
