#include "dg/mesh/curved/determinant.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "dg/mesh/curved/curved_map.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"

namespace maxwell_dg::dg {
namespace {

const std::array<Point, 4> reference_corners{{{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};

std::vector<Point> lattice(int degree) {
  std::vector<Point> points;
  for (const GeometryNode& node : geometry_nodes(degree)) {
    points.push_back(straight_node(reference_corners, degree, node));
  }
  return points;
}

/// The reference tetrahedron, its nodes but the corners moved at random.
std::vector<Point> moved_nodes(int order, double by, std::mt19937& random) {
  std::uniform_real_distribution<double> shift(-by, by);
  std::vector<Point> nodes = lattice(order);
  const auto places = geometry_nodes(order);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (*std::ranges::max_element(places[n]) == order) continue;
    for (double& x : nodes[n]) x += shift(random);
  }
  return nodes;
}

std::vector<double> determinants(int order, std::span<const Point> nodes, std::span<const Point> points) {
  std::vector<double> values;
  for (const auto& jacobian : CurvedMap(order, points).jacobians(nodes)) values.push_back(jacobian.determinant());
  return values;
}

TEST(Determinant, coefficients_are_those_of_the_determinant) {
  std::mt19937 random(1);
  for (int order = 1; order <= CurvedCells::highest_order; ++order) {
    const auto nodes = moved_nodes(order, 0.05 / order, random);
    const auto coefficients = DeterminantCheck(order).coefficients(nodes);
    const int degree = 3 * (order - 1);
    ASSERT_EQ(coefficients.size(), static_cast<std::size_t>(node_count(degree)));
    const std::vector<Point> points{{-0.5, -0.5, -0.5}, {-0.9, 0.2, -0.7}, {0.4, -0.8, -0.7}};
    const auto expected = determinants(order, nodes, points);
    const auto exponents = geometry_nodes(degree);
    for (std::size_t p = 0; p < points.size(); ++p) {
      const auto& [r, s, t] = points[p];
      const std::array<double, 4> lambda{-(1 + r + s + t) / 2, (1 + r) / 2, (1 + s) / 2, (1 + t) / 2};
      double value = 0;
      for (std::size_t i = 0; i < exponents.size(); ++i) {
        double term = coefficients[i];
        int n = 0;
        for (std::size_t a = 0; a < 4; ++a) {
          for (int e = 1; e <= exponents[i][a]; ++e) term *= lambda[a] * ++n / e;
        }
        value += term;
      }
      EXPECT_NEAR(value, expected[p], 1e-11) << "order " << order;
    }
  }
}

/// Whatever it decides is held against values: on a fine lattice where it accepts, at the place that it names where
/// not.
TEST(Determinant, decisions_about_random_cells_are_right) {
  std::mt19937 random(2);
  const auto fine = lattice(14);
  std::size_t accepted = 0, refused = 0, refused_between_nodes = 0;
  for (const int order : {2, 3, 4, 6}) {
    const DeterminantCheck check(order);
    for (int i = 0; i < 150; ++i) {
      const auto nodes = moved_nodes(order, 0.01 * (1 + i % 40) * 2 / order, random);
      const auto where = check.find_not_positive(nodes, 1);
      if (!where) {
        ++accepted;
        for (const double value : determinants(order, nodes, fine)) ASSERT_GT(value, 0) << "order " << order;
        EXPECT_TRUE(check.find_not_positive(nodes, -1).has_value());
        continue;
      }
      ++refused;
      const auto coefficients = check.coefficients(nodes);
      double mean = 0;
      for (const double c : coefficients) mean += c / static_cast<double>(coefficients.size());
      EXPECT_LE(determinants(order, nodes, std::array<Point, 1>{*where})[0],
                std::max(0.0, 1.001 * DeterminantCheck::least_part * mean) + 1e-12);
      const auto at_nodes = determinants(order, nodes, lattice(order));
      if (std::ranges::all_of(at_nodes, [](double value) { return value > 0; })) ++refused_between_nodes;
    }
  }
  EXPECT_GT(accepted, 100U);
  EXPECT_GT(refused, 100U);
  EXPECT_GT(refused_between_nodes, 3U) << "samples at the nodes alone would have taken these";
}

TEST(Determinant, cells_that_vanish_at_a_corner_are_refused_and_left_handed_ones_judged_by_their_sign) {
  // The middle of an edge at a quarter of it: the derivative along the edge vanishes at its first end.
  std::vector<Point> nodes = lattice(2);
  const DeterminantCheck check(2);
  EXPECT_FALSE(check.find_not_positive(nodes, 1).has_value());
  nodes[1][0] = -0.5;
  const auto where = check.find_not_positive(nodes, 1);
  ASSERT_TRUE(where.has_value());
  EXPECT_NEAR(distance(*where, reference_corners[0]), 0, 1e-12);
  nodes[1][0] = -0.4;
  EXPECT_FALSE(check.find_not_positive(nodes, 1).has_value());
  for (Point& node : nodes) node[2] = -node[2];
  EXPECT_FALSE(check.find_not_positive(nodes, -1).has_value());
}

}  // namespace
}  // namespace maxwell_dg::dg
