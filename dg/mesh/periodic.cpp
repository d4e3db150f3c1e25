#include "dg/mesh/periodic.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/checks.hpp"
#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr double partner_distance = 1e-6;  // against the longest edge of a surface

using SurfaceTriangle = std::array<std::int32_t, 3>;

/// The exterior triangles of a surface and their vertices, both ascending.
struct Surface {
  std::vector<SurfaceTriangle> triangles;
  std::vector<std::int32_t> vertices;
  Point mean{};
  double longest_edge{};

  static Surface of(const Mesh& mesh, const Connectivity& connectivity, const std::string& name) {
    const auto found = std::find(mesh.surfaces.begin(), mesh.surfaces.end(), name);
    if (found == mesh.surfaces.end()) throw std::invalid_argument("join_periodic: no surface '" + name + "'");
    Surface surface;
    for (const auto& face : connectivity.boundary_faces) {
      if (face.surface != found - mesh.surfaces.begin()) continue;
      SurfaceTriangle& triangle = surface.triangles.emplace_back();
      for (std::size_t i = 0; i < 3; ++i)
        triangle[i] = mesh.cells[index(face.cell)][face_vertices[index(face.face)][i]];
      for (std::size_t i = 0; i < 3; ++i) {
        const Point edge = minus(mesh.vertices[index(triangle[i])], mesh.vertices[index(triangle[(i + 1) % 3])]);
        surface.longest_edge = std::max(surface.longest_edge, length(edge));
      }
      surface.vertices.insert(surface.vertices.end(), triangle.begin(), triangle.end());
    }
    auto& vertices = surface.vertices;
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    std::sort(surface.triangles.begin(), surface.triangles.end());
    for (const auto v : vertices) {
      const double share = 1.0 / static_cast<double>(vertices.size());
      for (std::size_t d = 0; d < 3; ++d) surface.mean[d] += share * mesh.vertices[index(v)][d];
    }
    return surface;
  }
};

/// Vertices that are one: each points to a smaller one, or to itself.
class Classes {
 public:
  explicit Classes(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::int32_t root(std::int32_t v) {
    while (parent_[index(v)] != v) v = parent_[index(v)] = parent_[index(parent_[index(v)])];
    return v;
  }
  void join(std::int32_t a, std::int32_t b) {
    const std::int32_t one = root(a), other = root(b);
    parent_[index(std::max(one, other))] = std::min(one, other);
  }

 private:
  std::vector<std::int32_t> parent_;
};

class Joint {
 public:
  Joint(Mesh& mesh, std::span<const PeriodicPair> pairs)
      : mesh_(mesh), pairs_(pairs), classes_(mesh.vertices.size()), is_joined_(mesh.vertices.size(), false) {
    const Connectivity connectivity = Connectivity::make(mesh);
    for (const PeriodicPair& pair : pairs) match(pair, connectivity);
    mesh_.identity.resize(mesh_.vertices.size());
    for (std::size_t v = 0; v < mesh_.vertices.size(); ++v) {
      mesh_.identity[v] = classes_.root(static_cast<std::int32_t>(v));
    }
    const auto before = [&](std::int32_t a, std::int32_t b) {
      return mesh_.identity[index(a)] < mesh_.identity[index(b)];
    };
    for (std::size_t k = 0; k < mesh_.cells.size(); ++k) sort_vertices(mesh_, k, before);
    require_three_cells();
    require_same_curves();
  }

 private:
  void match(const PeriodicPair& pair, const Connectivity& connectivity) {
    const Surface first = Surface::of(mesh_, connectivity, pair.first);
    const Surface second = Surface::of(mesh_, connectivity, pair.second);
    const auto fail = [&](const std::string& what) {
      throw MeshError(pair.place + ": the surfaces '" + pair.first + "' and '" + pair.second +
                      "' do not match: " + what + "; mesh them alike, in Gmsh with Periodic Surface");
    };
    const bool as_many =
        first.vertices.size() == second.vertices.size() && first.triangles.size() == second.triangles.size();
    if (!as_many || first.triangles.empty()) {
      fail("they have " + std::to_string(first.triangles.size()) + " and " + std::to_string(second.triangles.size()) +
           " exterior triangles");
    }
    const Point shift = minus(second.mean, first.mean);
    shifts_.push_back(shift);
    const double tolerance = partner_distance * first.longest_edge;
    const BoxTree tree(second.vertices.size(), [&](std::size_t i) {
      BoundingBox box;
      box.add(mesh_.vertices[index(second.vertices[i])]);
      return box;
    });
    std::map<std::int32_t, std::int32_t> partner;
    for (const auto v : first.vertices) {
      const Point wanted = plus(mesh_.vertices[index(v)], shift);
      tree.visit_near(wanted, tolerance, [&](std::size_t i) {
        const std::int32_t other = second.vertices[i];
        if (length(minus(mesh_.vertices[index(other)], wanted)) <= tolerance) partner[v] = other;
      });
      if (!partner.contains(v)) {
        fail("the vertex at " + text_of(mesh_.vertices[index(v)]) + " has no partner at " + text_of(wanted));
      }
    }
    for (const SurfaceTriangle& triangle : first.triangles) {
      SurfaceTriangle other{partner[triangle[0]], partner[triangle[1]], partner[triangle[2]]};
      std::sort(other.begin(), other.end());
      if (!std::binary_search(second.triangles.begin(), second.triangles.end(), other)) {
        fail("the triangle at " + text_of(centroid(mesh_, triangle)) + " has no partner");
      }
    }
    for (const auto& [a, b] : partner) {
      classes_.join(a, b);
      is_joined_[index(a)] = is_joined_[index(b)] = true;
    }
  }

  /// With three cells or more between partners an edge, known by its two identities, leads one way only.
  void require_three_cells() const {
    std::map<std::pair<std::int32_t, std::int32_t>, Point> edges;
    for (const auto& cell : mesh_.cells) {
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 4; ++j) {
          const std::int32_t a = cell[i], b = cell[j];
          const std::pair key{mesh_.identity[index(a)], mesh_.identity[index(b)]};
          const Point edge = minus(mesh_.vertices[index(b)], mesh_.vertices[index(a)]);
          if (key.first == key.second) fail_at(a, edge);
          if (!is_joined_[index(a)] && !is_joined_[index(b)]) continue;
          const auto [seen, is_new] = edges.try_emplace(key, edge);
          const Point difference = minus(edge, seen->second);
          if (length(difference) > 1e-3 * length(edge)) fail_at(a, difference);
        }
      }
    }
  }

  void require_same_curves() const {
    if (!mesh_.curved.any()) return;
    faces_that_differ(mesh_, Connectivity::make(mesh_))
        .require_none(pairs_.front().place, "face on a periodic surface that is curved differently from its partner",
                      "faces on periodic surfaces that are curved differently from their partners",
                      "mesh them alike, in Gmsh with Periodic Surface");
  }

  [[noreturn]] void fail_at(std::int32_t vertex, const Point& shift) const {
    const auto distance = [&](const Point& s) { return std::min(length(minus(s, shift)), length(plus(s, shift))); };
    std::size_t nearest = 0;
    for (std::size_t p = 0; p < shifts_.size(); ++p) {
      if (distance(shifts_[p]) < distance(shifts_[nearest])) nearest = p;
    }
    const PeriodicPair& pair = pairs_[nearest];
    throw MeshError(pair.place + ": fewer than three cells lie between '" + pair.first + "' and '" + pair.second +
                    "' at " + text_of(mesh_.vertices[index(vertex)]) +
                    ", so that cells would meet their neighbours twice; take smaller elements, or a longer period");
  }

  Mesh& mesh_;
  std::span<const PeriodicPair> pairs_;
  Classes classes_;
  std::vector<bool> is_joined_;  ///< [vertex] has a partner
  std::vector<Point> shifts_;    ///< [pair]
};

}  // namespace

void join_periodic(Mesh& mesh, std::span<const PeriodicPair> pairs) {
  if (!pairs.empty()) Joint(mesh, pairs);
}

}  // namespace maxwell_dg::dg
