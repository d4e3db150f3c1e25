#include "dg/partition/distributed/outside.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/mpi/first_error.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/mesh/checks.hpp"
#include "dg/partition/distributed/cells_around.hpp"

namespace maxwell_dg::dg {

namespace {

using Triple = std::array<std::int32_t, 3>;

/// A face that two own cells share and that a third cell has on another rank, where it has found no partner.
void require_two_cells(const AssembledMesh& alone, const std::vector<OuterTriangle>& outer, const std::string& origin) {
  const NumberSet vertices(alone.file_vertices);
  std::set<Triple> near;
  for (const OuterTriangle& triangle : outer) {
    const auto is_here = [&](std::int32_t v) { return vertices.place(v) >= 0; };
    if (std::ranges::all_of(triangle.vertices, is_here)) near.insert(triangle.vertices);
  }
  if (near.empty()) return;
  std::set<std::int32_t> of_them;
  for (const Triple& triple : near) of_them.insert(triple.begin(), triple.end());
  std::vector<bool> is_near(alone.mesh.vertices.size());
  for (std::size_t v = 0; v < is_near.size(); ++v) is_near[v] = of_them.contains(alone.file_vertices[v]);
  std::map<Triple, int> cells;
  for (const auto& cell : alone.mesh.cells) {
    for (const auto& [a, b, c] : face_vertices) {
      const std::array corners{cell.at(a), cell.at(b), cell.at(c)};
      if (!std::ranges::all_of(corners, [&](std::int32_t v) { return is_near[index(v)]; })) continue;
      Triple file;
      for (std::size_t i = 0; i < 3; ++i) file[i] = alone.file_vertices[index(corners[i])];
      std::ranges::sort(file);
      if (!near.contains(file) || ++cells[file] < 2) continue;
      throw MeshError(origin + ": more than two tetrahedra share the face at " +
                      dg::text_of(centroid(alone.mesh, corners)) +
                      ": volumes overlap or were meshed twice; keep each volume once (in Gmsh: BooleanFragments, "
                      "Coherence)");
    }
  }
}

}  // namespace

void check_outside_of_parts(const AssembledMesh& alone, std::span<const EdgeFace> edge, const std::string& origin,
                            const core::Communicator& ranks) {
  const NumberSet vertices(alone.file_vertices);
  std::vector<std::int32_t> place(alone.file_vertices.size());  // [place among the numbers] in the mesh
  for (std::size_t v = 0; v < place.size(); ++v) {
    place[index(vertices.place(alone.file_vertices[v]))] = static_cast<std::int32_t>(v);
  }
  std::vector<OuterTriangle> mine;
  for (const EdgeFace& face : edge) {
    if (face.partner) continue;
    OuterTriangle& triangle = mine.emplace_back();
    triangle.vertices = face.face.vertices;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int32_t v = place[index(vertices.place(triangle.vertices[i]))];
      triangle.corners[i] = alone.mesh.vertices[index(v)];
    }
  }
  const std::vector<OuterTriangle> all = core::all_of(ranks, mine);
  core::on_all_ranks<MeshError>(ranks, [&] {
    require_two_cells(alone, all, origin);
    check_outside(all, mine, origin);
  });
}

VertexClasses join_periodic_parts(const CellRows& own, std::vector<EdgeFace>& edge, std::span<const PeriodicPair> pairs,
                                  const VertexSlice& vertices, const MeshRows::Content& names,
                                  const core::Communicator& ranks) {
  if (pairs.empty()) return {};
  const auto is_periodic = [&](std::int32_t surface) {
    return surface >= 0 && std::ranges::any_of(pairs, [&](const PeriodicPair& pair) {
             return names.surfaces[index(surface)] == pair.first || names.surfaces[index(surface)] == pair.second;
           });
  };
  std::vector<Mesh::SurfaceFace> faces;
  for (const EdgeFace& face : edge) {
    if (!face.partner && is_periodic(face.surface)) faces.push_back({face.face.vertices, face.surface});
  }
  faces = core::all_of(ranks, faces);
  std::set<std::int32_t> at_surfaces;
  for (const Mesh::SurfaceFace& face : faces) at_surfaces.insert(face.vertices.begin(), face.vertices.end());

  std::vector<std::int32_t> near;
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (std::ranges::any_of(own.vertices[k], [&](std::int32_t v) { return at_surfaces.contains(v); })) {
      near.push_back(static_cast<std::int32_t>(k));
    }
  }
  const CellRows cells = gathered(own, near, names.curved_order, ranks);
  AssembledMesh layer = assembled(cells, cells.size(), vertices.rows(numbers_of_vertices(cells)), {}, faces, names);
  core::on_all_ranks<MeshError>(ranks, [&] { join_periodic(layer.mesh, pairs); });
  VertexClasses classes;
  for (std::size_t v = 0; v < layer.mesh.identity.size(); ++v) {
    const std::size_t other = index(layer.mesh.identity[v]);
    if (other != v) classes[layer.file_vertices[v]] = layer.file_vertices[other];
  }

  std::vector<OpenFace> open;
  std::vector<std::size_t> from;
  for (std::size_t i = 0; i < edge.size(); ++i) {
    const auto is_there = [&](std::int32_t v) { return at_surfaces.contains(v); };
    if (edge[i].partner || !std::ranges::all_of(edge[i].face.vertices, is_there)) continue;
    OpenFace& face = open.emplace_back(edge[i].face);
    for (std::int32_t& v : face.key) {
      const auto found = classes.find(v);
      if (found != classes.end()) v = found->second;
    }
    std::ranges::sort(face.key);
    from.push_back(i);
  }
  const auto partners = partners_of(open, names.origin, ranks);
  for (std::size_t i = 0; i < from.size(); ++i) edge[from[i]].partner = partners[i];
  return classes;
}

}  // namespace maxwell_dg::dg
