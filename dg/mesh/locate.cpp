#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <Eigen/Dense>

#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/curved/curved_map.hpp"
#include "dg/mesh/curved/determinant.hpp"
#include "dg/mesh/geometry.hpp"

namespace maxwell_dg::dg {
namespace {

// In barycentric coordinates, and against the mesh's size: well above rounding, well below a cell.
constexpr double relative_tolerance = 1e-9;

/// The smallest barycentric coordinate: how far inside a point is.
double depth(const Point& rst) {
  return 0.5 * std::min({1 + rst[0], 1 + rst[1], 1 + rst[2], -1 - rst[0] - rst[1] - rst[2]});
}

/// In a curved cell that may hold the point: from the node next to it, else from where the straight cell has it.
std::optional<Point> coordinates_in_curved(const Mesh& mesh, const Geometry& geometry, std::size_t k, const Point& x) {
  const int order = mesh.curved.order;
  const auto nodes = mesh.curved.nodes_of(k);
  const auto nearest = std::ranges::min_element(nodes, {}, [&](const Point& node) { return distance(node, x); });
  const GeometryNode place = geometry_nodes(order)[static_cast<std::size_t>(nearest - nodes.begin())];
  Point at_node;
  for (std::size_t d = 0; d < 3; ++d) at_node[d] = -1 + 2.0 * place[d + 1] / order;
  for (const Point& start : {at_node, reference_coordinates(mesh, geometry, k, x)}) {
    const auto rst = inverse_of_map(order, nodes, x, start);
    if (rst && depth(*rst) >= -relative_tolerance) return rst;
  }
  return std::nullopt;
}

std::optional<Point> if_within(const Point& rst) {
  return depth(rst) >= -relative_tolerance ? std::optional(rst) : std::nullopt;
}

BoundingBox box_of_straight(const Mesh& mesh, std::size_t k) {
  BoundingBox box;
  for (const auto v : mesh.cells[k]) box.add(mesh.vertices[index(v)]);
  return box;
}

/// [curved cell] what holds it: the coefficients of its map in the Bernstein basis do.
std::vector<BoundingBox> boxes_of_curved(const CurvedCells& curved) {
  if (!curved.any()) return {};
  const Eigen::MatrixXd to_bernstein = bernstein_of_nodal(curved.order);
  const auto size = static_cast<Eigen::Index>(curved.nodes_a_cell());
  std::vector<BoundingBox> boxes(curved.count());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    using Coordinates = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
    const Coordinates coefficients =
        to_bernstein * Eigen::Map<const Coordinates>(curved.nodes[i * curved.nodes_a_cell()].data(), size, 3);
    for (Eigen::Index n = 0; n < size; ++n)
      boxes[i].add(Point{coefficients(n, 0), coefficients(n, 1), coefficients(n, 2)});
  }
  return boxes;
}

}  // namespace

Point position_of(const Mesh& mesh, const PointLocation& location) {
  if (mesh.curved.is_curved(location.cell)) {
    return CurvedMap(mesh.curved.order, std::span(&location.rst, 1))
        .positions(mesh.curved.nodes_of(location.cell))
        .front();
  }
  const auto& [r, s, t] = location.rst;
  const std::array<double, 4> weights{-0.5 * (1 + r + s + t), 0.5 * (1 + r), 0.5 * (1 + s), 0.5 * (1 + t)};
  Point x{};
  for (std::size_t v = 0; v < 4; ++v) {
    const Point& vertex = mesh.vertices[index(mesh.cells[location.cell][v])];
    for (std::size_t d = 0; d < 3; ++d) x[d] += weights[v] * vertex[d];
  }
  return x;
}

std::optional<Point> coordinates_within(const Mesh& mesh, const Geometry& geometry, std::size_t cell, const Point& x) {
  if (mesh.curved.is_curved(cell)) return coordinates_in_curved(mesh, geometry, cell, x);
  return if_within(reference_coordinates(mesh, geometry, cell, x));
}

struct PointLocator::Search {
  Search(const Mesh& mesh, std::size_t cells)
      : of_curved(boxes_of_curved(mesh.curved)),
        tree(cells,
             [&](std::size_t k) {
               return mesh.curved.is_curved(k) ? of_curved[index(mesh.curved.number[k])] : box_of_straight(mesh, k);
             }),
        margin(relative_tolerance * bounding_box(mesh.vertices).diagonal()) {}

  std::vector<BoundingBox> of_curved;  ///< [curved cell]
  BoxTree tree;
  double margin;
};

PointLocator::PointLocator(const Mesh& mesh, const Geometry& geometry, std::size_t cells)
    : mesh_(mesh), geometry_(geometry), search_(std::make_unique<const Search>(mesh, cells)) {}
PointLocator::~PointLocator() = default;
PointLocator::PointLocator(PointLocator&&) noexcept = default;

std::optional<PointLocation> PointLocator::locate(const Point& point) const {
  std::optional<PointLocation> best;
  search_->tree.visit_near(point, search_->margin, [&](std::size_t k) {
    if (best && depth(best->rst) >= 0) return;
    const bool is_far = mesh_.curved.is_curved(k) &&
                        !search_->of_curved[index(mesh_.curved.number[k])].contains(point, search_->margin);
    if (is_far) return;
    const std::optional<Point> rst = coordinates_within(mesh_, geometry_, k, point);
    if (rst && (!best || depth(*rst) >= depth(best->rst))) best = {k, *rst};
  });
  return best;
}

}  // namespace maxwell_dg::dg
