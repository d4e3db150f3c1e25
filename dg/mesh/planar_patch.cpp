#include "dg/mesh/planar_patch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/counted.hpp"
#include "core/quantity.hpp"
#include "dg/mesh/face_map.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/reference/triangle_quadrature.hpp"

namespace maxwell_dg::dg {
namespace {

using core::brief;
using Loop = std::vector<std::int32_t>;

const Point& at(const Mesh& mesh, std::int32_t vertex) {
  return mesh.vertices[static_cast<std::size_t>(vertex)];
}

Point scaled(double s, const Point& a) {
  return {s * a[0], s * a[1], s * a[2]};
}

std::size_t nearest_axis(const Point& direction) {
  std::size_t axis = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (std::abs(direction[i]) > (1 + 1e-9) * std::abs(direction[axis])) axis = i;
  }
  return axis;
}

double perimeter(const Mesh& mesh, const Loop& loop) {
  double sum = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    sum += length(minus(at(mesh, loop[(i + 1) % loop.size()]), at(mesh, loop[i])));
  }
  return sum;
}

/// Edges that belong to one face alone, as loops.
std::vector<Loop> trace_outlines(const std::vector<std::array<std::int32_t, 3>>& triangles) {
  std::map<std::pair<std::int32_t, std::int32_t>, int> uses;
  for (const auto& [a, b, c] : triangles) {  // ascending
    for (const auto& edge : {std::pair{a, b}, std::pair{b, c}, std::pair{a, c}}) ++uses[edge];
  }
  std::map<std::int32_t, std::vector<std::int32_t>> beside;
  for (const auto& [edge, count] : uses) {
    if (count != 1) continue;
    beside[edge.first].push_back(edge.second);
    beside[edge.second].push_back(edge.first);
  }
  std::vector<Loop> loops;
  while (!beside.empty()) {
    Loop loop{beside.begin()->first};
    for (std::int32_t previous = -1;;) {
      const auto found = beside.find(loop.back());
      if (found->second.size() != 2) throw std::invalid_argument("has an outline that touches itself");
      const std::int32_t next = found->second[found->second[0] == previous ? 1 : 0];
      previous = loop.back();
      if (next == loop.front()) break;
      loop.push_back(next);
    }
    for (const std::int32_t vertex : loop) beside.erase(vertex);
    loops.push_back(std::move(loop));
  }
  return loops;
}

Rectangle with_longer_first(Rectangle r) {
  const bool is_square = std::abs(r.a - r.b) < 1e-6 * r.a;
  if (is_square ? nearest_axis(r.v) < nearest_axis(r.u) : r.b > r.a) {
    std::swap(r.u, r.v);
    std::swap(r.a, r.b);
  }
  return r;
}

/// How far the nodes of the map of a curved cell on a face are from the plane at most; 0 of a straight cell.
double bulge(const Mesh& mesh, const ElementFace& face, const Point& origin, const Point& normal) {
  if (!mesh.curved.is_curved(face.element)) return 0;
  const auto nodes = mesh.curved.nodes_of(face.element);
  const auto places = geometry_nodes(mesh.curved.order);
  const auto opposite =
      static_cast<std::size_t>(ReferenceElement::opposite_vertex.at(static_cast<std::size_t>(face.face)));
  double most = 0;
  for (std::size_t n = 0; n < places.size(); ++n) {
    if (places[n].at(opposite) == 0) most = std::max(most, std::abs(dot(minus(nodes[n], origin), normal)));
  }
  return most;
}

}  // namespace

double face_area(const Mesh& mesh, const ElementFace& face) {
  const auto& corners = face_vertices[static_cast<std::size_t>(face.face)];
  const auto corner = [&](std::size_t i) { return at(mesh, mesh.cells[face.element][corners.at(i)]); };
  return length(cross(minus(corner(1), corner(0)), minus(corner(2), corner(0)))) / 2;
}

PlanarPatch PlanarPatch::make(const Mesh& mesh, const Geometry& geometry, const std::vector<ElementFace>& faces) {
  if (faces.empty()) throw std::invalid_argument("has no faces");
  const auto normal_of = [&](const ElementFace& f) {
    const Geometry::Face& face = geometry.faces[f.element][static_cast<std::size_t>(f.face)];
    return Point{face.nx, face.ny, face.nz};
  };
  PlanarPatch patch{.normal = normal_of(faces.front()), .area = 0, .outlines = {}};
  const auto points = TriangleQuadrature::exact_to(2 * (mesh.curved.order - 1));  // of curved faces
  const FaceMap map(mesh, points);
  std::vector<std::array<std::int32_t, 3>> triangles;
  for (const ElementFace& f : faces) {
    const auto& corners = face_vertices[static_cast<std::size_t>(f.face)];
    const auto& cell = mesh.cells[f.element];
    triangles.push_back({cell[corners[0]], cell[corners[1]], cell[corners[2]]});
    if (mesh.curved.is_curved(f.element)) {
      for (const double share : area_weights(map.at(f), points)) patch.area += share;
    } else {
      patch.area += face_area(mesh, f);
    }
  }
  const Point& origin = at(mesh, triangles.front()[0]);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const double off = std::abs(dot(minus(at(mesh, triangles[i][2]), origin), patch.normal));
    const bool is_flat = bulge(mesh, faces[i], at(mesh, triangles[i][0]), patch.normal) <
                         off + 1e-5 * std::sqrt(patch.area);  // more would turn the normal
    if (is_flat && dot(normal_of(faces[i]), patch.normal) > 1 - 1e-6 && off < 1e-3 * std::sqrt(patch.area)) continue;
    throw std::invalid_argument("is not planar");
  }
  patch.outlines = trace_outlines(triangles);
  std::ranges::sort(patch.outlines,
                    [&](const Loop& p, const Loop& q) { return perimeter(mesh, p) > perimeter(mesh, q); });
  return patch;
}

Rectangle Rectangle::of(const Mesh& mesh, const PlanarPatch& patch) {
  if (patch.outlines.size() != 1) {
    throw std::invalid_argument("is not a rectangle: it has " +
                                core::counted(patch.outlines.size(), "outline", "outlines"));
  }
  const Loop& loop = patch.outlines.front();
  Point longest{};
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Point edge = minus(at(mesh, loop[(i + 1) % loop.size()]), at(mesh, loop[i]));
    if (length(edge) > length(longest)) longest = edge;
  }
  Rectangle result{};
  result.u = scaled(1 / length(longest), longest);
  result.v = cross(patch.normal, result.u);
  std::array<double, 2> low{1e300, 1e300}, high{-1e300, -1e300};
  for (Point* direction : {&result.u, &result.v}) {
    if ((*direction)[nearest_axis(*direction)] < 0) *direction = scaled(-1, *direction);
  }
  for (const std::int32_t vertex : loop) {
    const std::array<double, 2> place{dot(at(mesh, vertex), result.u), dot(at(mesh, vertex), result.v)};
    for (std::size_t i = 0; i < 2; ++i) {
      low[i] = std::min(low[i], place[i]);
      high[i] = std::max(high[i], place[i]);
    }
  }
  result.a = high[0] - low[0];
  result.b = high[1] - low[1];
  if (std::abs(result.a * result.b - patch.area) > 1e-4 * patch.area) {
    throw std::invalid_argument("is not a rectangle: it spans " + brief(result.a) + " by " + brief(result.b) +
                                " but its area is " + brief(patch.area));
  }
  const double height = dot(at(mesh, loop.front()), patch.normal);
  result.corner = plus(scaled(height, patch.normal), plus(scaled(low[0], result.u), scaled(low[1], result.v)));
  return with_longer_first(result);
}

Rectangle Rectangle::with_mirror_image(std::size_t axis) const {
  Rectangle result = *this;
  const double tolerance = 1e-6 * std::hypot(a, b);
  const auto extend = [&](const Point& direction, double& side) {
    if (direction[axis] < 1 - 1e-6) return;
    const double begin = corner[axis], end = begin + side;
    if (std::abs(begin) < tolerance) {
      result.corner[axis] -= side;
    } else if (std::abs(end) >= tolerance) {
      return;
    }
    side *= 2;
  };
  extend(u, result.a);
  extend(v, result.b);
  return with_longer_first(result);
}

}  // namespace maxwell_dg::dg
