#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/mesh/checks.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/mesh/space_filling_curve.hpp"

namespace maxwell_dg::dg {
namespace {

/// Where a cell stands: straight cells before curved ones, along the curve within each, and its old number.
using CellPlace = std::tuple<bool, std::uint64_t, std::int32_t>;

/// `is_curved`: [cell]
std::vector<CellPlace> curve_order(const Mesh& mesh, const std::vector<bool>& is_curved) {
  const std::vector<std::uint64_t> places = places_on_curve(mesh);
  std::vector<CellPlace> order(mesh.cells.size());
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    order[k] = {is_curved[k], places[k], static_cast<std::int32_t>(k)};
  }
  std::sort(order.begin(), order.end());
  return order;
}

/// So that all cells at an edge or a face find alike whether it is straight.
void sort_curved_cells(Mesh& mesh) {
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (mesh.curved.is_curved(k)) sort_vertices(mesh, k, std::less<>());
  }
}

/// The vertices of each cell stay in their order. Those of `later` come last, as curved ones do. Returns the old number
/// of each.
std::vector<std::int32_t> order_cells(Mesh& mesh, std::vector<bool> later) {
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) later[k] = later[k] || mesh.curved.is_curved(k);
  std::vector<std::int32_t> old;
  for (const auto& [is_later, along, k] : curve_order(mesh, later)) old.push_back(k);
  std::vector<std::array<std::int32_t, 4>> cells;
  std::vector<std::int32_t> region;
  for (const std::int32_t k : old) {
    cells.push_back(mesh.cells[index(k)]);
    region.push_back(mesh.cell_region[index(k)]);
  }
  mesh.curved.reorder(old);
  mesh.cells = std::move(cells);
  mesh.cell_region = std::move(region);
  for (auto& [name, values] : mesh.cell_values) {
    std::vector<double> ordered;
    for (const std::int32_t k : old) ordered.push_back(values[index(k)]);
    values = std::move(ordered);
  }
  return old;
}

/// Numbers vertices by first use, which drops those that no cell uses; sorts each cell's vertices before and after.
/// Returns the new number of every old vertex, -1 for the dropped ones.
std::vector<std::int32_t> renumber_vertices(Mesh& mesh) {
  std::vector<std::int32_t> new_number(mesh.vertices.size(), -1);
  std::vector<Point> vertices;
  vertices.reserve(mesh.vertices.size());
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    sort_vertices(mesh, k, std::less<>());
    for (auto& v : mesh.cells[k]) {
      auto& number = new_number[v];
      if (number < 0) {
        number = static_cast<std::int32_t>(vertices.size());
        vertices.push_back(mesh.vertices[v]);
      }
      v = number;
    }
    sort_vertices(mesh, k, std::less<>());
  }
  mesh.vertices = std::move(vertices);
  for (auto& [name, values] : mesh.vertex_values) {
    std::vector<double> ordered(mesh.vertices.size());
    for (std::size_t v = 0; v < new_number.size(); ++v) {
      if (new_number[v] >= 0) ordered[index(new_number[v])] = values[v];
    }
    values = std::move(ordered);
  }
  return new_number;
}

/// Renumbers and sorts the named faces. Those of vertices that no cell uses are no face of the mesh: dropped, and said.
void order_surface_faces(Mesh& mesh, const std::vector<std::int32_t>& new_number, const std::string& origin) {
  auto& faces = mesh.surface_faces;
  for (auto& face : faces) {
    for (auto& v : face.vertices) v = new_number[v];
    std::sort(face.vertices.begin(), face.vertices.end());
  }
  const std::size_t dropped = std::erase_if(faces, [](const auto& face) { return face.vertices[0] < 0; });
  if (dropped > 0) {
    log_warning(origin + ": " + std::to_string(dropped) +
                " named surface triangles touch no tetrahedron and were left out");
  }
  std::sort(faces.begin(), faces.end(), [](const auto& a, const auto& b) {
    return a.vertices != b.vertices ? a.vertices < b.vertices : a.surface < b.surface;
  });
  const auto same = [](const auto& a, const auto& b) { return a.vertices == b.vertices && a.surface == b.surface; };
  faces.erase(std::unique(faces.begin(), faces.end(), same), faces.end());
  const auto twice = std::adjacent_find(faces.begin(), faces.end(),
                                        [](const auto& a, const auto& b) { return a.vertices == b.vertices; });
  if (twice != faces.end()) {
    throw MeshError(origin + ": a triangle belongs to both surface '" + mesh.surfaces.at(twice->surface) + "' and '" +
                    mesh.surfaces.at((twice + 1)->surface) + "': give each surface to one physical group only");
  }
}

}  // namespace

void count_as_curved(Mesh& mesh, const std::vector<bool>& cells) {
  std::vector<bool> ordered;
  for (const std::int32_t old : order_cells(mesh, cells)) ordered.push_back(cells[index(old)]);
  order_surface_faces(mesh, renumber_vertices(mesh), "");
  add_straight_maps(mesh, ordered, mesh.curved.order);
}

void prepare(Mesh& mesh, const std::string& origin, Orientation orientation, std::optional<int> meshed_in_order) {
  check_cells(mesh, origin, orientation, meshed_in_order.has_value());
  check_curved_corners(mesh, origin);
  sort_curved_cells(mesh);
  find_curved(mesh);
  (void)order_cells(mesh, std::vector<bool>(mesh.cells.size()));
  order_surface_faces(mesh, renumber_vertices(mesh), origin);
  find_curved(mesh);
  check_conformity(mesh, origin);
  check_curved(mesh, origin, meshed_in_order);
}

}  // namespace maxwell_dg::dg
