#include "tests/support/curved_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>

#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/curved/determinant.hpp"
#include "dg/mesh/geometry.hpp"
#include "tests/support/random_problem.hpp"

namespace maxwell_dg::dg::testing {

std::function<Point(const Point&)> waves(double by, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::array<std::array<double, 4>, 3> of_axis{};
  for (auto& numbers : of_axis) {
    for (double& number : numbers) number = value(random);
  }
  return [=](const Point& x) {
    Point moved = x;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& [kx, ky, kz, phase] = of_axis.at(i);
      moved.at(i) += by * std::sin(3 * (kx * x[0] + ky * x[1] + kz * x[2]) + 3 * phase);
    }
    return moved;
  };
}

namespace {

/// Moves what is beyond `begin` along an axis.
Mesh bent_beyond(std::size_t axis, double begin, Mesh mesh, int order) {
  curve(mesh, order, [&](const Point& x) {
    const double by = 0.3 * std::max(0.0, x[axis] - begin);
    return Point{x[0] + by * (x[1] - 0.4 * x[2] * x[2]), x[1] + by * std::sin(3 * x[2]), x[2] - by * x[0] * x[1]};
  });
  return mesh;
}

}  // namespace

Mesh half_curved_cube(int order) {
  return bent_beyond(0, 0.5, make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {2, 2, 2}}), order);
}

Mesh half_curved_random_mesh(int cells, int order) {
  return bent_beyond(2, 0.58, random_mesh(cells), order);
}

Mesh straight_as_curved(Mesh mesh, int order, const std::function<bool(std::size_t cell)>& is_curved) {
  CurvedCells curved{.order = order, .number = std::vector<std::int32_t>(mesh.cells.size(), -1), .nodes = {}};
  std::int32_t next = 0;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (!is_curved(k)) continue;
    curved.number[k] = next++;
    std::array<Point, 4> corners{};
    for (std::size_t a = 0; a < 4; ++a) corners.at(a) = mesh.vertices[index(mesh.cells[k].at(a))];
    for (const GeometryNode& node : geometry_nodes(order)) curved.nodes.push_back(straight_node(corners, order, node));
  }
  mesh.curved = std::move(curved);
  return mesh;
}

double volume_of_region(const Mesh& mesh, const std::string& region) {
  std::optional<DeterminantCheck> determinant;
  if (mesh.curved.any()) determinant.emplace(mesh.curved.order);
  const Geometry geometry = Geometry::make(mesh);
  double sum = 0;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (mesh.regions.at(index(mesh.cell_region[k])) != region) continue;
    double J = geometry.J[k];
    if (mesh.curved.is_curved(k)) {
      // The mean of the determinant is that of its coefficients.
      const auto values = determinant->coefficients(mesh.curved.nodes_of(k));
      J = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    }
    sum += std::abs(J) * 4 / 3;
  }
  return sum;
}

}  // namespace maxwell_dg::dg::testing
