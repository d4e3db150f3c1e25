#include "dg/mesh/curved/curved_mesh.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace maxwell_dg::dg {
namespace {

/// A vertex, an edge, a face or the whole of a cell, as the set of its vertices: bit a for vertex a. Its nodes are
/// those that no smaller one has.
using Part = unsigned;
constexpr Part whole_cell = 15, end_of_parts = 16;

Part part_of(const GeometryNode& node) {
  Part part = 0;
  for (unsigned a = 0; a < 4; ++a) part |= (node[a] > 0 ? 1U : 0U) << a;
  return part;
}

bool has(Part part, std::size_t vertex) {
  return (part >> vertex & 1U) != 0;
}

double longest_edge_of(const std::array<Point, 4>& corners, Part part) {
  double longest = 0;
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (has(part, a) && has(part, b)) longest = std::max(longest, distance(corners[a], corners[b]));
    }
  }
  return longest;
}

}  // namespace

std::array<Point, 4> corners_of(const Mesh& mesh, std::size_t cell) {
  std::array<Point, 4> corners;
  for (std::size_t a = 0; a < 4; ++a) corners[a] = mesh.vertices[index(mesh.cells[cell][a])];
  return corners;
}

Point straight_node(const std::array<Point, 4>& corners, int order, const GeometryNode& node) {
  Point x{};
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t d = 0; d < 3; ++d) x[d] += node[a] * corners[a][d] / order;
  }
  return x;
}

bool straighten_parts(const std::array<Point, 4>& corners, int order, std::span<const GeometryNode> places,
                      std::span<Point> nodes) {
  std::array<double, end_of_parts> farthest{};
  for (std::size_t n = 0; n < places.size(); ++n) {
    double& of_part = farthest[part_of(places[n])];
    of_part = std::max(of_part, distance(nodes[n], straight_node(corners, order, places[n])));
  }
  std::array<bool, end_of_parts> is_straight{};
  for (Part part = 1; part < end_of_parts; ++part) {
    is_straight[part] = farthest[part] <= straight_tolerance * longest_edge_of(corners, part);
  }
  const auto closure_is_straight = [&](Part part) {
    for (Part smaller = 1; smaller < end_of_parts; ++smaller) {
      const bool is_edge_or_more = (smaller & (smaller - 1)) != 0;
      if (is_edge_or_more && (smaller & ~part) == 0 && !is_straight[smaller]) return false;
    }
    return true;
  };
  for (std::size_t n = 0; n < places.size(); ++n) {
    if (closure_is_straight(part_of(places[n]))) nodes[n] = straight_node(corners, order, places[n]);
  }
  return closure_is_straight(whole_cell);
}

void find_curved(Mesh& mesh) {
  CurvedCells& curved = mesh.curved;
  if (!curved.any()) return;
  const auto places = geometry_nodes(curved.order);
  std::vector<bool> keep(curved.count(), false);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (!curved.is_curved(k)) continue;
    keep[index(curved.number[k])] = !straighten_parts(corners_of(mesh, k), curved.order, places, curved.nodes_of(k));
  }
  curved.keep_only(keep);
}

void add_straight_maps(Mesh& mesh, const std::vector<bool>& chosen, int order) {
  CurvedCells result{.order = std::max(2, order), .number = {}, .nodes = {}};
  const std::vector<GeometryNode> places = geometry_nodes(result.order);
  std::int32_t next = 0;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    const bool is_curved = mesh.curved.is_curved(k);
    result.number.push_back(is_curved || chosen[k] ? next++ : -1);
    if (is_curved) {
      const auto nodes = mesh.curved.nodes_of(k);
      result.nodes.insert(result.nodes.end(), nodes.begin(), nodes.end());
    } else if (chosen[k]) {
      for (const GeometryNode& place : places) {
        result.nodes.push_back(straight_node(corners_of(mesh, k), result.order, place));
      }
    }
  }
  mesh.curved = next > 0 ? std::move(result) : CurvedCells{};
}

void move_vertices(Mesh& mesh, std::span<const Point> shift) {
  if (mesh.curved.any()) {
    const auto places = geometry_nodes(mesh.curved.order);
    for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
      if (!mesh.curved.is_curved(k)) continue;
      std::array<Point, 4> of_corners;
      for (std::size_t a = 0; a < 4; ++a) of_corners[a] = shift[index(mesh.cells[k][a])];
      const auto nodes = mesh.curved.nodes_of(k);
      for (std::size_t n = 0; n < nodes.size(); ++n) {
        nodes[n] = plus(nodes[n], straight_node(of_corners, mesh.curved.order, places[n]));
      }
    }
  }
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) mesh.vertices[v] = plus(mesh.vertices[v], shift[v]);
}

void curve(Mesh& mesh, int order, const std::function<Point(const Point&)>& map) {
  if (order < 1 || order > CurvedCells::highest_order || mesh.curved.any()) {
    throw std::invalid_argument("curve: the mesh has curved cells, or order " + std::to_string(order) +
                                " is not in 1 to 9");
  }
  const auto places = geometry_nodes(order);
  CurvedCells curved{.order = order, .number = {}, .nodes = {}};
  curved.nodes.reserve(mesh.cells.size() * places.size());
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    curved.number.push_back(static_cast<std::int32_t>(k));
    const auto corners = corners_of(mesh, k);
    for (const GeometryNode& place : places) curved.nodes.push_back(map(straight_node(corners, order, place)));
  }
  for (Point& vertex : mesh.vertices) vertex = map(vertex);
  if (order > 1) mesh.curved = std::move(curved);
  find_curved(mesh);
}

}  // namespace maxwell_dg::dg
