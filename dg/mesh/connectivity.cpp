#include "dg/mesh/connectivity.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>

#include "core/error.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr std::size_t most_cells = std::size_t{1} << 29;
constexpr std::int32_t unmatched = std::numeric_limits<std::int32_t>::min();

/// A face seen from one cell, filed under its smallest vertex.
struct FaceEntry {
  std::int32_t second, third;  ///< the other two vertices, ascending
  std::int32_t cell_face;      ///< 4 * cell + face
};

/// All faces, [offsets[v], offsets[v + 1]) being those with smallest vertex v. 48 bytes a cell.
struct FaceBuckets {
  std::vector<std::uint32_t> offsets;
  std::vector<FaceEntry> entries;
};

FaceBuckets file_faces(const Mesh& mesh) {
  const auto number = [&](std::int32_t v) { return mesh.identity.empty() ? v : mesh.identity[v]; };
  FaceBuckets buckets;
  buckets.offsets.assign(mesh.vertices.size() + 1, 0);
  for (const auto& cell : mesh.cells) {
    for (const auto& corners : face_vertices) ++buckets.offsets[number(cell[corners[0]]) + 1];
  }
  std::partial_sum(buckets.offsets.begin(), buckets.offsets.end(), buckets.offsets.begin());
  buckets.entries.resize(4 * mesh.cells.size());
  std::vector<std::uint32_t> next(buckets.offsets.begin(), buckets.offsets.end() - 1);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    const auto& cell = mesh.cells[k];
    for (std::size_t f = 0; f < 4; ++f) {
      const auto& corners = face_vertices[f];
      buckets.entries[next[number(cell[corners[0]])]++] = {number(cell[corners[1]]), number(cell[corners[2]]),
                                                           static_cast<std::int32_t>(4 * k + f)};
    }
  }
  return buckets;
}

/// A tetrahedron that is there twice is what formats write where a volume is in two groups.
void require_each_once(const Mesh& mesh, const std::string& origin) {
  std::vector<std::size_t> order(mesh.cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto corners = [&](std::size_t k) {
    auto sorted = mesh.cells[k];
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return corners(a) < corners(b); });
  const auto twice = std::adjacent_find(order.begin(), order.end(),
                                        [&](std::size_t a, std::size_t b) { return corners(a) == corners(b); });
  if (twice == order.end()) return;
  const auto region = [&](std::size_t k) {
    const std::int32_t r = mesh.cell_region[k];
    return r < 0 ? std::string("no region") : "'" + mesh.regions.at(index(r)) + "'";
  };
  throw MeshError(origin + ": the tetrahedron at " + text_of(centroid(mesh, mesh.cells[*twice])) +
                  " is there twice, in " + region(*twice) + " and in " + region(*(twice + 1)) +
                  ": give each volume to one physical group only");
}

[[noreturn]] void throw_overfull_face(const Mesh& mesh, const std::string& origin, std::size_t first,
                                      const FaceEntry& face) {
  require_each_once(mesh, origin);
  std::ostringstream text;
  text << origin << ": more than two tetrahedra share the face with vertices";
  for (const std::size_t v : {first, static_cast<std::size_t>(face.second), static_cast<std::size_t>(face.third)}) {
    const Point& p = mesh.vertices[v];
    text << " (" << p[0] << ", " << p[1] << ", " << p[2] << ")";
  }
  text << ": volumes overlap or were meshed twice; keep each volume once (in Gmsh: BooleanFragments, Coherence)";
  throw MeshError(text.str());
}

/// Joins the cells on the two sides of each face.
void join(const Mesh& mesh, const std::string& origin, FaceBuckets& buckets,
          std::vector<std::array<std::int32_t, 4>>& neighbours) {
  const auto same = [](const FaceEntry& a, const FaceEntry& b) { return a.second == b.second && a.third == b.third; };
  const auto slot = [&](const FaceEntry& e) -> std::int32_t& { return neighbours[e.cell_face / 4][e.cell_face % 4]; };
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const auto begin = buckets.entries.begin() + buckets.offsets[v];
    const auto end = buckets.entries.begin() + buckets.offsets[v + 1];
    std::sort(begin, end, [](const FaceEntry& a, const FaceEntry& b) {
      return a.second != b.second ? a.second < b.second : a.third < b.third;
    });
    for (auto entry = begin; entry != end;) {
      const auto other = entry + 1;
      if (other == end || !same(*entry, *other)) {
        entry = other;
        continue;
      }
      if (other + 1 != end && same(*entry, *(other + 1))) throw_overfull_face(mesh, origin, v, *entry);
      slot(*entry) = other->cell_face;
      slot(*other) = entry->cell_face;
      entry += 2;
    }
  }
}

/// The surface that carries a face: a binary search, because `prepare` sorts surface_faces by their vertices.
std::int32_t surface_of(const Mesh& mesh, std::array<std::int32_t, 3> vertices) {
  if (!mesh.identity.empty()) std::sort(vertices.begin(), vertices.end());
  const auto found =
      std::lower_bound(mesh.surface_faces.begin(), mesh.surface_faces.end(), vertices,
                       [](const Mesh::SurfaceFace& face, const auto& wanted) { return face.vertices < wanted; });
  return found != mesh.surface_faces.end() && found->vertices == vertices ? found->surface : -1;
}

/// Parts the cells on both sides of the walls. Returns the regions behind them: [4 * cell + face], ascending.
std::map<std::int32_t, std::int32_t> part_at_walls(const Mesh& mesh,
                                                   std::vector<std::array<std::int32_t, 4>>& neighbours) {
  std::map<std::int32_t, std::int32_t> behind;
  if (std::ranges::count(mesh.walls, true) == 0) return behind;
  std::vector<bool> is_near(mesh.vertices.size());
  for (const Mesh::SurfaceFace& face : mesh.surface_faces) {
    if (!mesh.walls[index(face.surface)]) continue;
    for (const std::int32_t v : face.vertices) is_near[index(v)] = true;
  }
  const auto part = [&](std::int32_t side, std::int32_t other) {
    neighbours[index(side / 4)].at(index(side % 4)) = unmatched;
    behind[side] = mesh.cell_region[index(other / 4)];
  };
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    for (std::size_t f = 0; f < 4; ++f) {
      std::array<std::int32_t, 3> vertices{};
      for (std::size_t i = 0; i < 3; ++i) vertices.at(i) = mesh.cells[k].at(face_vertices.at(f).at(i));
      const std::int32_t other = neighbours[k].at(f);
      if (other == unmatched || !std::ranges::all_of(vertices, [&](std::int32_t v) { return is_near[index(v)]; })) {
        continue;
      }
      const std::int32_t surface = surface_of(mesh, vertices);
      if (surface < 0 || !mesh.walls[index(surface)]) continue;
      const auto side = static_cast<std::int32_t>(4 * k + f);
      part(side, other);
      part(other, side);
    }
  }
  return behind;
}

}  // namespace

Connectivity Connectivity::make(const Mesh& mesh, const std::string& origin) {
  if (mesh.cells.size() >= most_cells) {
    throw MeshError(origin + ": " + std::to_string(mesh.cells.size()) +
                    " tetrahedra; faces are counted by 32 bits, which is enough for fewer than 2^29: divide the mesh");
  }
  Connectivity connectivity;
  auto& neighbours = connectivity.neighbours;
  neighbours.assign(mesh.cells.size(), {unmatched, unmatched, unmatched, unmatched});
  FaceBuckets buckets = file_faces(mesh);
  join(mesh, origin, buckets, neighbours);
  const std::map<std::int32_t, std::int32_t> behind = part_at_walls(mesh, neighbours);

  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    const auto& cell = mesh.cells[k];
    for (std::size_t f = 0; f < 4; ++f) {
      if (neighbours[k][f] != unmatched) continue;
      const auto& corners = face_vertices[f];
      neighbours[k][f] = -1 - static_cast<std::int32_t>(connectivity.boundary_faces.size());
      BoundaryFace& face = connectivity.boundary_faces.emplace_back(
          BoundaryFace{.cell = static_cast<std::int32_t>(k),
                       .face = static_cast<std::int32_t>(f),
                       .surface = surface_of(mesh, {cell[corners[0]], cell[corners[1]], cell[corners[2]]})});
      const auto wall = behind.find(4 * face.cell + face.face);
      if (wall != behind.end()) face.behind = wall->second;
    }
  }
  return connectivity;
}

std::vector<std::int32_t> face_numbers(std::span<const ElementFace> faces) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(faces.size());
  for (const auto& [element, face] : faces) numbers.push_back(static_cast<std::int32_t>(4 * element) + face);
  return numbers;
}

}  // namespace maxwell_dg::dg
