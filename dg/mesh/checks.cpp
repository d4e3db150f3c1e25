#include "dg/mesh/checks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/counted.hpp"
#include "core/error.hpp"
#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/connectivity.hpp"

namespace maxwell_dg::dg {
namespace {

// Volume of a cell against a regular tetrahedron with the same longest edge; below this the stable time step is as
// small as the quality, and the metric loses as many digits.
constexpr double degenerate_quality = 1e-6;
// Distances below these, against the longest edge of a face, count as none.
constexpr double coincident_distance = 1e-5;
constexpr double hanging_distance = 1e-7;

void check_numbers(const Mesh& mesh, const std::string& origin) {
  if (mesh.cells.empty()) {
    throw MeshError(origin + ": no tetrahedra (" +
                    core::counted(mesh.surface_faces.size(), "named surface triangle", "named surface triangles") +
                    "): mesh the volume, in Gmsh `gmsh -3` or `Mesh 3;`, and save its elements");
  }
  // Faces are numbered 4 * cell + face in 32 bits.
  if (mesh.cells.size() >= std::size_t{1} << 29) {
    throw MeshError(origin + ": " + std::to_string(mesh.cells.size()) +
                    " tetrahedra are more than one process can number (2^29): split the mesh over several processes");
  }
  const auto is_vertex = [&](std::int32_t v) { return v >= 0 && static_cast<std::size_t>(v) < mesh.vertices.size(); };
  const auto in_range = [&](const auto& numbers) { return std::all_of(numbers.begin(), numbers.end(), is_vertex); };
  const bool cells_ok = std::all_of(mesh.cells.begin(), mesh.cells.end(), in_range);
  const bool faces_ok = std::all_of(mesh.surface_faces.begin(), mesh.surface_faces.end(),
                                    [&](const Mesh::SurfaceFace& face) { return in_range(face.vertices); });
  if (!cells_ok || !faces_ok) {
    throw MeshError(origin +
                    ": elements refer to vertices that the mesh does not have: the file is damaged, write it anew");
  }
  Findings not_finite;
  for (const Point& p : mesh.vertices) {
    if (!std::all_of(p.begin(), p.end(), [](double x) { return std::isfinite(x); })) not_finite.add(p);
  }
  for (const Point& p : mesh.curved.nodes) {
    if (!std::ranges::all_of(p, [](double x) { return std::isfinite(x); })) not_finite.add(p);
  }
  not_finite.require_none(origin, "vertex that is no finite point", "vertices that are no finite points",
                          "the file is damaged, write it anew");
}

void check_shapes(const Mesh& mesh, const std::string& origin, Orientation orientation, bool just_meshed) {
  Findings degenerate, inverted;
  for (const auto& cell : mesh.cells) {
    std::array<Point, 4> p;
    for (std::size_t i = 0; i < 4; ++i) p[i] = mesh.vertices[cell[i]];
    const double volume6 = dot(minus(p[1], p[0]), cross(minus(p[2], p[0]), minus(p[3], p[0])));
    double longest = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < i; ++j) longest = std::max(longest, distance(p[i], p[j]));
    }
    const double quality = std::sqrt(2.0) * volume6 / (longest * longest * longest);  // 1 for a regular one
    if ((orientation == Orientation::any ? std::abs(quality) : quality) > degenerate_quality) continue;
    (quality < -degenerate_quality ? inverted : degenerate).add(centroid(mesh, cell));
  }
  const std::string remedy = just_meshed ? "take another mesh.size" : "mesh anew, in Gmsh with Mesh.Optimize = 1";
  inverted.require_none(origin, "inverted tetrahedron", "inverted tetrahedra",
                        "its vertices must be right-handed; " + remedy);
  degenerate.require_none(origin, "degenerate (flat) tetrahedron", "degenerate (flat) tetrahedra",
                          remedy + ", and remove slivers from the geometry");
}

double longest_edge(const OuterTriangle& triangle) {
  const auto& [a, b, c] = triangle.corners;
  return std::max({distance(a, b), distance(b, c), distance(c, a)});
}

bool lies_on(const OuterTriangle& triangle, const Point& p) {
  const Point u = minus(triangle.corners[1], triangle.corners[0]);
  const Point v = minus(triangle.corners[2], triangle.corners[0]);
  const Point w = minus(p, triangle.corners[0]);
  const Point normal = cross(u, v);
  const double area2 = dot(normal, normal);
  if (std::abs(dot(w, normal)) > hanging_distance * longest_edge(triangle) * std::sqrt(area2)) return false;
  const double lambda1 = dot(cross(w, v), normal) / area2;
  const double lambda2 = dot(cross(u, w), normal) / area2;
  return std::min({lambda1, lambda2, 1 - lambda1 - lambda2}) > -hanging_distance;
}

enum class Touch { none, coincident, hanging };

Touch touch(const OuterTriangle& triangle, std::int32_t vertex, const Point& p) {
  for (const auto corner : triangle.vertices) {
    if (corner == vertex) return Touch::none;
  }
  for (const Point& corner : triangle.corners) {
    if (distance(corner, p) < coincident_distance * longest_edge(triangle)) return Touch::coincident;
  }
  return lies_on(triangle, p) ? Touch::hanging : Touch::none;
}

}  // namespace

void Findings::add(const Point& at) {
  if (count++ == 0) first = at;
}

void Findings::require_none(const std::string& origin, const std::string& one, const std::string& many,
                            const std::string& remedy) const {
  if (count == 0) return;
  throw MeshError(origin + ": " + core::counted(count, one, many) + (count == 1 ? " at " : ", the first at ") +
                  text_of(first) + ": " + remedy);
}

void check_cells(const Mesh& mesh, const std::string& origin, Orientation orientation, bool just_meshed) {
  check_numbers(mesh, origin);
  check_shapes(mesh, origin, orientation, just_meshed);
}

std::vector<OuterTriangle> outer_triangles(const Mesh& mesh, const Connectivity& connectivity) {
  std::vector<OuterTriangle> triangles;
  triangles.reserve(connectivity.boundary_faces.size());
  for (const Connectivity::BoundaryFace& face : connectivity.boundary_faces) {
    OuterTriangle& triangle = triangles.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      triangle.vertices[i] = mesh.cells[index(face.cell)][face_vertices[index(face.face)][i]];
      triangle.corners[i] = mesh.vertices[index(triangle.vertices[i])];
    }
  }
  return triangles;
}

void check_conformity(const Mesh& mesh, const std::string& origin) {
  const std::vector<OuterTriangle> triangles = outer_triangles(mesh, Connectivity::make(mesh, origin));
  check_outside(triangles, triangles, origin);
}

void check_outside(std::span<const OuterTriangle> all, std::span<const OuterTriangle> some, const std::string& origin) {
  double widest = 0;
  const BoxTree tree(all.size(), [&](std::size_t b) {
    widest = std::max(widest, longest_edge(all[b]));
    BoundingBox box;
    for (const Point& corner : all[b].corners) box.add(corner);
    return box;
  });

  std::vector<std::pair<std::int32_t, Point>> vertices;
  for (const OuterTriangle& triangle : some) {
    for (std::size_t i = 0; i < 3; ++i) vertices.emplace_back(triangle.vertices[i], triangle.corners[i]);
  }
  std::ranges::sort(vertices);
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  Findings duplicate, hanging;
  for (const auto& [v, at] : vertices) {
    Touch worst = Touch::none;
    tree.visit_near(at, coincident_distance * widest, [&, vertex = v, &at = at](std::size_t b) {
      if (worst == Touch::coincident) return;
      const Touch found = touch(all[b], vertex, at);
      if (found != Touch::none) worst = found;
    });
    if (worst == Touch::coincident) duplicate.add(at);
    if (worst == Touch::hanging) hanging.add(at);
  }
  duplicate.require_none(origin, "vertex that coincides with another", "vertices that coincide with others",
                         "duplicate vertices cut the mesh; in Gmsh merge them with `Coherence Mesh;` "
                         "(gmsh.model.mesh.removeDuplicateNodes), or let volumes share their interface "
                         "(BooleanFragments) before meshing");
  hanging.require_none(origin, "hanging vertex", "hanging vertices",
                       "it lies inside a face or an edge of another tetrahedron; let neighbouring volumes share one "
                       "surface mesh, in Gmsh with `Coherence;` or BooleanFragments before meshing");
}

}  // namespace maxwell_dg::dg
