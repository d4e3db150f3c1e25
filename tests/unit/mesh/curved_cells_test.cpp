#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/curved/curved_map.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/digest.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/mesh/periodic.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {
namespace {

using Map = std::function<Point(const Point&)>;

const Map wavy = [](const Point& p) {
  return Point{p[0] + 0.05 * std::sin(2 * p[1] + p[2]), p[1] - 0.04 * std::cos(3 * p[0]), p[2] + 0.06 * p[0] * p[1]};
};

Mesh curved_box(int order, const Map& map = wavy, const std::array<int, 3>& cells = {2, 3, 2}) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1.5, 1}, .cells = cells});
  curve(mesh, order, map);
  return mesh;
}

/// The nodes of a face in the order of its vertices.
std::vector<Point> nodes_of_face(const Mesh& mesh, std::size_t cell, std::size_t face) {
  std::vector<Point> result;
  const auto opposite = static_cast<std::size_t>(ReferenceElement::opposite_vertex[face]);
  const auto places = geometry_nodes(mesh.curved.order);
  std::array<Point, 4> corners;
  for (std::size_t a = 0; a < 4; ++a) corners[a] = mesh.vertices[index(mesh.cells[cell][a])];
  for (std::size_t n = 0; n < places.size(); ++n) {
    if (places[n][opposite] != 0) continue;
    result.push_back(mesh.curved.is_curved(cell) ? mesh.curved.nodes_of(cell)[n]
                                                 : straight_node(corners, mesh.curved.order, places[n]));
  }
  return result;
}

/// Corners are vertices, curved cells are numbered as cells are, and both sides of a face have its nodes, in the same
/// order, up to the shift between periodic surfaces.
void expect_consistent(const Mesh& mesh) {
  const CurvedCells& curved = mesh.curved;
  ASSERT_TRUE(curved.any());
  ASSERT_EQ(curved.number.size(), mesh.cells.size());
  ASSERT_EQ(curved.count() * curved.nodes_a_cell(), curved.nodes.size());
  std::int32_t next = 0;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (!curved.is_curved(k)) continue;
    EXPECT_EQ(curved.number[k], next++);
    for (std::size_t a = 0; a < 4; ++a) {
      GeometryNode corner{};
      corner[a] = curved.order;
      EXPECT_NEAR(
          distance(curved.nodes_of(k)[number_of_node(curved.order, corner)], mesh.vertices[index(mesh.cells[k][a])]), 0,
          1e-14);
    }
  }
  EXPECT_EQ(static_cast<std::size_t>(next), curved.count());
  const Connectivity connectivity = Connectivity::make(mesh);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t other = connectivity.neighbours[k][f];
      if (other < 0) continue;
      const auto here = nodes_of_face(mesh, k, f), there = nodes_of_face(mesh, index(other / 4), index(other % 4));
      for (std::size_t n = 0; n < here.size(); ++n) {
        EXPECT_NEAR(distance(minus(here[n], here[0]), minus(there[n], there[0])), 0, 1e-13) << "cell " << k;
        if (mesh.identity.empty()) {
          EXPECT_EQ(here[n], there[n]) << "cell " << k << " face " << f;
        }
      }
    }
  }
}

/// The curved cells in a new order, each with its vertices in a new order.
Mesh shuffled(const Mesh& mesh) {
  std::mt19937 random(3);
  std::vector<std::int32_t> old(mesh.cells.size());
  std::iota(old.begin(), old.end(), 0);
  std::shuffle(old.begin(), old.end(), random);
  Mesh result = mesh;
  result.curved.reorder(old);
  for (std::size_t k = 0; k < old.size(); ++k) {
    result.cell_region[k] = mesh.cell_region[index(old[k])];
    std::array<std::size_t, 4> turn{0, 1, 2, 3};
    std::shuffle(turn.begin(), turn.end(), random);
    for (std::size_t a = 0; a < 4; ++a) result.cells[k][a] = mesh.cells[index(old[k])][turn[a]];
    result.curved.turn(k, turn);
  }
  return result;
}

TEST(CurvedCells, nodes_are_numbered_as_documented) {
  for (int order = 1; order <= CurvedCells::highest_order; ++order) {
    const auto places = geometry_nodes(order);
    ASSERT_EQ(places.size(), static_cast<std::size_t>(node_count(order)));
    for (std::size_t n = 0; n < places.size(); ++n) {
      EXPECT_EQ(number_of_node(order, places[n]), n);
      EXPECT_EQ(std::accumulate(places[n].begin(), places[n].end(), 0), order);
    }
  }
  EXPECT_EQ(geometry_nodes(2)[1], (GeometryNode{1, 1, 0, 0}));  // i runs fastest
  EXPECT_EQ(geometry_nodes(2)[3], (GeometryNode{1, 0, 1, 0}));
  EXPECT_EQ(geometry_nodes(2)[9], (GeometryNode{0, 0, 0, 2}));
}

TEST(CurvedCells, map_and_jacobian_are_those_of_a_polynomial_of_the_order) {
  // Of degree `order` in x, so the interpolation on straight cells is exact.
  for (int order = 2; order <= CurvedCells::highest_order; ++order) {
    const auto map = [&](const Point& p) {
      return Point{p[0] + 0.2 * std::pow(p[1], order), p[1] + 0.1 * p[2] * std::pow(p[0], order - 1), p[2]};
    };
    Mesh straight = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {1, 1, 1}});
    Mesh mesh = straight;
    curve(mesh, order, map);
    const std::vector<Point> points{{-0.2, -0.6, -0.5}, {-1, -1, -1}, {-0.9, 0.3, -0.4}, {1, -1, -1}};
    const CurvedMap at_points(order, points), straight_map(1, points);
    for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
      ASSERT_TRUE(mesh.curved.is_curved(k));
      std::vector<Point> corners;
      for (const std::int32_t v : straight.cells[k]) corners.push_back(straight.vertices[index(v)]);
      const auto x = straight_map.positions(corners), y = at_points.positions(mesh.curved.nodes_of(k));
      const auto a = straight_map.jacobians(corners), b = at_points.jacobians(mesh.curved.nodes_of(k));
      for (std::size_t p = 0; p < points.size(); ++p) {
        EXPECT_NEAR(distance(y[p], map(x[p])), 0, 1e-13) << "order " << order;
        Eigen::Matrix3d slope = Eigen::Matrix3d::Identity();
        slope(0, 1) = 0.2 * order * std::pow(x[p][1], order - 1);
        slope(1, 0) = 0.1 * x[p][2] * (order - 1) * std::pow(x[p][0], order - 2);
        slope(1, 2) = 0.1 * std::pow(x[p][0], order - 1);
        EXPECT_NEAR((b[p] - slope * a[p]).norm(), 0, 1e-11) << "order " << order;
      }
    }
  }
}

TEST(CurvedCells, both_sides_of_every_face_have_its_nodes) {
  for (const int order : {2, 3, 9}) expect_consistent(curved_box(order));
}

TEST(CurvedCells, preparing_gives_back_the_mesh_whatever_the_order_of_cells_and_vertices) {
  for (const int order : {2, 4}) {
    Mesh mesh = curved_box(order);
    prepare(mesh, "wavy", Orientation::any);  // along the curve through the vertices where they are now
    Mesh other = shuffled(mesh);
    EXPECT_NE(digest(other), digest(mesh));
    prepare(other, "shuffled", Orientation::any);
    EXPECT_EQ(digest(other), digest(mesh));
  }
}

TEST(CurvedCells, prepared_meshes_have_straight_cells_first_whatever_the_order_was) {
  const auto map = [](const Point& p) {  // bends what lies between x = 0.25 and 0.75, where planes of vertices are
    const double inside = std::max(0.0, 0.25 - std::abs(p[0] - 0.5));
    return Point{p[0], p[1] + inside * inside, p[2]};
  };
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {4, 2, 2}});
  curve(mesh, 3, map);
  prepare(mesh, "half wavy", Orientation::any);
  const std::size_t straight = mesh.cells.size() - mesh.curved.count();
  ASSERT_GT(straight, 0U);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) EXPECT_EQ(mesh.curved.is_curved(k), k >= straight);
  EXPECT_EQ(Discretization(mesh, 1).ranges.size(), 2U);
  expect_consistent(mesh);
  Mesh other = shuffled(mesh);
  prepare(other, "shuffled", Orientation::any);
  EXPECT_EQ(digest(other), digest(mesh));
}

TEST(CurvedCells, only_cells_that_the_map_bends_are_curved) {
  // Bends what lies beyond x = 0.5; a plane of vertices is there.
  const auto map = [](const Point& p) {
    const double beyond = std::max(0.0, p[0] - 0.5);
    return Point{p[0], p[1] + beyond * beyond, p[2]};
  };
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {4, 2, 2}});
  const std::size_t before = mesh.cells.size();
  curve(mesh, 3, map);
  EXPECT_EQ(mesh.curved.count(), before / 2);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    EXPECT_EQ(mesh.curved.is_curved(k), centroid(mesh, mesh.cells[k])[0] > 0.5);
  }
  expect_consistent(mesh);
}

TEST(CurvedCells, a_map_that_bends_nothing_leaves_a_straight_mesh) {
  const auto affine = [](const Point& p) { return Point{p[0] + 0.3 * p[1], 2 * p[1], p[2] - 0.1 * p[0]}; };
  const Mesh mesh = curved_box(4, affine);
  EXPECT_FALSE(mesh.curved.any());
  EXPECT_EQ(mesh.curved.order, 1);
  EXPECT_TRUE(mesh.curved.number.empty() && mesh.curved.nodes.empty());
}

TEST(CurvedCells, deviations_below_the_tolerance_are_none_and_those_above_are) {
  for (const double bend : {0.2 * straight_tolerance, 20 * straight_tolerance}) {
    const auto map = [&](const Point& p) { return Point{p[0], p[1], p[2] + bend * std::sin(8 * p[0])}; };
    EXPECT_EQ(curved_box(2, map).curved.any(), bend > straight_tolerance);
  }
}

TEST(CurvedCells, a_copy_has_the_same_geometry) {
  Mesh mesh = curved_box(3);
  const Mesh one = mesh;
  append_copy(mesh);
  expect_consistent(mesh);
  ASSERT_EQ(mesh.curved.count(), 2 * one.curved.count());
  for (std::size_t k = 0; k < one.cells.size(); ++k) {
    const auto first = mesh.curved.nodes_of(k), copy = mesh.curved.nodes_of(one.cells.size() + k);
    EXPECT_TRUE(std::ranges::equal(first, copy));
  }
}

TEST(CurvedCells, faces_on_joined_periodic_surfaces_list_their_nodes_alike) {
  const auto map = [](const Point& p) {
    return Point{p[0] + 0.05 * std::sin(4 * p[1]) * p[2], p[1], p[2] + 0.03 * std::sin(2 * M_PI * p[0])};
  };
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {3, 2, 2}});
  curve(mesh, 3, map);
  const std::vector<PeriodicPair> pairs{{"x_min", "x_max", "here"}};
  join_periodic(mesh, pairs);
  expect_consistent(mesh);
}

TEST(CurvedCells, distorted_cells_stay_consistent_and_keep_their_bends) {
  Mesh mesh = curved_box(3);
  const std::size_t count = mesh.curved.count();
  distort(mesh, 0.02);
  prepare(mesh, "distorted", Orientation::any);
  EXPECT_EQ(mesh.curved.count(), count);
  expect_consistent(mesh);
}

TEST(CurvedCells, the_digest_knows_the_geometry) {
  Mesh mesh = curved_box(3);
  const std::string before = digest(mesh);
  mesh.curved.nodes[5][1] += 1e-3;
  EXPECT_NE(digest(mesh), before);
  mesh.curved = {};
  Mesh straight = curved_box(1);
  EXPECT_EQ(digest(mesh), digest(straight));
}

/// Random points of all elements, and all of their nodes, surfaces included.
TEST(CurvedCells, hold_the_points_that_their_maps_take_there) {
  std::mt19937 random(4);
  std::exponential_distribution<double> share(1.0);
  for (const int order : {2, 5, 9}) {
    Mesh mesh = curved_box(order);
    const Discretization d(std::move(mesh), 3);
    const PointLocator locator(d.mesh, d.geometry);
    for (std::size_t k = 0; k < d.K(); ++k) {
      for (int i = 0; i < 20; ++i) {
        std::array<double, 4> shares{};
        for (double& s : shares) s = share(random);
        const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
        const Point rst{2 * shares[1] / sum - 1, 2 * shares[2] / sum - 1, 2 * shares[3] / sum - 1};
        const auto found = locator.locate(position_of(d.mesh, {k, rst}));
        ASSERT_TRUE(found) << "order " << order;
        EXPECT_EQ(found->cell, k);
        EXPECT_NEAR(distance(found->rst, rst), 0, 1e-12);
      }
      for (int n = 0; n < d.Np(); ++n) {
        const Point x = d.node(k, n);
        const auto found = locator.locate(x);
        ASSERT_TRUE(found) << "order " << order << ": node " << n << " of cell " << k;
        EXPECT_NEAR(distance(position_of(d.mesh, *found), x), 0, 1e-13);
      }
    }
  }
}

TEST(CurvedCells, hold_points_beyond_the_straight_cells_and_none_beyond_the_curved_ones) {
  // Two sides of the cube bulge, beyond the straight cells with the same vertices.
  Mesh mesh = make_box({.min = {-0.5, -0.5, -0.5}, .max = {0.5, 0.5, 0.5}, .cells = {2, 2, 2}});
  curve(mesh, 4, [](const Point& p) {
    return Point{p[0] * (1 + 0.3 * (1 - 2 * p[1] * p[1] - 2 * p[2] * p[2])), p[1], p[2]};
  });
  const Geometry geometry = Geometry::make(mesh);
  const PointLocator locator(mesh, geometry);
  const auto surface = [](double y, double z) { return 0.5 * (1 + 0.3 * (1 - 2 * y * y - 2 * z * z)); };
  for (const double y : {-0.3, -0.1, 0.15, 0.4}) {
    for (const double z : {-0.45, -0.2, 0.05, 0.25}) {
      EXPECT_TRUE(locator.locate({surface(y, z), y, z}));
      EXPECT_TRUE(locator.locate({surface(y, z) - 1e-4, y, z}));
      EXPECT_FALSE(locator.locate({surface(y, z) + 1e-6, y, z}));
    }
  }
  EXPECT_FALSE(locator.locate({3, 0, 0}));
  EXPECT_FALSE(locator.locate({NAN, 0, 0}));
}

TEST(CurvedCells, orders_that_there_are_not_are_refused) {
  Mesh mesh = make_box({});
  EXPECT_THROW(curve(mesh, 10, wavy), std::invalid_argument);
  EXPECT_THROW(curve(mesh, 0, wavy), std::invalid_argument);
  EXPECT_THROW((void)CurvedMap(10, {}), std::invalid_argument);
  curve(mesh, 2, wavy);
  EXPECT_THROW(curve(mesh, 2, wavy), std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
