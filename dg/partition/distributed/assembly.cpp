#include "dg/partition/distributed/assembly.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/surface_sides.hpp"

namespace maxwell_dg::dg {

namespace {

/// Vertices ascend by the first cell that has them, and then by their numbers in the file.
std::vector<std::int32_t> order_of(const VertexRows& vertices) {
  std::vector<std::int32_t> order(vertices.at.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::int32_t v) { return std::pair(vertices.first_cell[index(v)], v); });
  return order;
}

/// In the order that Connectivity asks for, each once.
void sort_faces(Mesh& mesh, const std::string& origin) {
  const auto as_tuple = [](const Mesh::SurfaceFace& face) { return std::pair(face.vertices, face.surface); };
  auto& faces = mesh.surface_faces;
  for (Mesh::SurfaceFace& face : faces) std::ranges::sort(face.vertices);
  std::ranges::sort(faces, {}, as_tuple);
  const auto same = [&](const auto& a, const auto& b) { return as_tuple(a) == as_tuple(b); };
  faces.erase(std::unique(faces.begin(), faces.end(), same), faces.end());
  const auto twice = std::ranges::adjacent_find(faces, {}, &Mesh::SurfaceFace::vertices);
  if (twice == faces.end()) return;
  throw MeshError(origin + ": a triangle belongs to both surface '" + mesh.surfaces.at(index(twice->surface)) +
                  "' and '" + mesh.surfaces.at(index((twice + 1)->surface)) +
                  "': give each surface to one physical group only");
}

/// Leaves the named faces that the first `own` cells have.
void keep_faces_of(Mesh& mesh, std::size_t own) {
  auto& faces = mesh.surface_faces;
  const NamedFaceSearch named(faces, mesh.vertices.size());
  std::vector<bool> is_kept(faces.size());
  for (std::size_t k = 0; k < own && !faces.empty(); ++k) {
    const auto& cell = mesh.cells[k];
    for (const auto& [a, b, c] : face_vertices) {
      if (const auto found = named.find({cell.at(a), cell.at(b), cell.at(c)})) is_kept[*found] = true;
    }
  }
  std::vector<Mesh::SurfaceFace> kept;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (is_kept[i]) kept.push_back(faces[i]);
  }
  faces = std::move(kept);
}

}  // namespace

AssembledMesh assembled(const CellRows& cells, std::size_t own, const VertexRows& vertices,
                        const VertexClasses& classes, std::span<const Mesh::SurfaceFace> faces,
                        const MeshRows::Content& names) {
  AssembledMesh result{.mesh = {.cells = cells.vertices,
                                .cell_region = cells.region,
                                .regions = names.regions,
                                .surfaces = names.surfaces,
                                .cell_values = cells.values,
                                .curved = cells.curved},
                       .file_vertices = {}};
  Mesh& mesh = result.mesh;
  const std::vector<std::int32_t> order = order_of(vertices);
  std::vector<std::int32_t> new_place(order.size());  // [place in `vertices`]
  mesh.vertices.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    new_place[index(order[i])] = static_cast<std::int32_t>(i);
    mesh.vertices.push_back(vertices.at[index(order[i])]);
    result.file_vertices.push_back(vertices.numbers.numbers()[index(order[i])]);
  }
  for (const auto& [name, values] : vertices.values) {
    for (const std::int32_t v : order) mesh.vertex_values[name].push_back(values[index(v)]);
  }
  const auto place = [&](std::int32_t file_number) {
    const std::int32_t at = vertices.numbers.place(file_number);
    return at < 0 ? -1 : new_place[index(at)];
  };
  for (auto& cell : mesh.cells) {
    for (std::int32_t& v : cell) v = place(v);
  }
  if (!classes.empty()) {
    for (const std::int32_t v : result.file_vertices) {
      const auto found = classes.find(v);
      mesh.identity.push_back(place(found == classes.end() ? v : found->second));
    }
  }
  const auto identity = [&](std::int32_t v) { return mesh.identity.empty() ? v : mesh.identity[index(v)]; };
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    sort_vertices(mesh, k, [&](std::int32_t a, std::int32_t b) { return identity(a) < identity(b); });
  }
  for (Mesh::SurfaceFace face : faces) {
    for (std::int32_t& v : face.vertices) v = place(v);
    if (std::ranges::find(face.vertices, -1) == face.vertices.end()) mesh.surface_faces.push_back(face);
  }
  sort_faces(mesh, names.origin);
  keep_faces_of(mesh, own);
  return result;
}

}  // namespace maxwell_dg::dg
