#include "dg/observe/files/lagrange_nodes.hpp"

#include <numeric>
#include <set>

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

using Triangle = std::vector<std::array<int, 3>>;
using Tetrahedron = std::vector<std::array<int, 4>>;

TEST(lagrange_nodes, triangles_of_orders_one_to_four_are_numbered_as_vtk_documents) {
  EXPECT_EQ(lagrange_triangle_nodes(1), (Triangle{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(lagrange_triangle_nodes(2), (Triangle{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}}));
  EXPECT_EQ(lagrange_triangle_nodes(3), (Triangle{{3, 0, 0},
                                                  {0, 3, 0},
                                                  {0, 0, 3},
                                                  {2, 1, 0},
                                                  {1, 2, 0},
                                                  {0, 2, 1},
                                                  {0, 1, 2},
                                                  {1, 0, 2},
                                                  {2, 0, 1},
                                                  {1, 1, 1}}));
  const Triangle four = lagrange_triangle_nodes(4);
  EXPECT_EQ(Triangle(four.end() - 3, four.end()), (Triangle{{2, 1, 1}, {1, 2, 1}, {1, 1, 2}}));
}

TEST(lagrange_nodes, tetrahedra_of_orders_one_to_four_are_numbered_as_vtk_documents) {
  EXPECT_EQ(lagrange_tetrahedron_nodes(1), (Tetrahedron{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}));
  const Tetrahedron two = lagrange_tetrahedron_nodes(2);
  EXPECT_EQ(Tetrahedron(two.begin() + 4, two.end()),
            (Tetrahedron{{1, 1, 0, 0}, {0, 1, 1, 0}, {1, 0, 1, 0}, {1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}}));
  const Tetrahedron three = lagrange_tetrahedron_nodes(3);  // the last four: the middles of the faces
  EXPECT_EQ(Tetrahedron(three.end() - 4, three.end()),
            (Tetrahedron{{1, 1, 0, 1}, {0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 1, 0}}));
  const Tetrahedron four = lagrange_tetrahedron_nodes(4);  // three inside each face, then the middle
  EXPECT_EQ(Tetrahedron(four.end() - 13, four.end()), (Tetrahedron{{2, 1, 0, 1},
                                                                   {1, 2, 0, 1},
                                                                   {1, 1, 0, 2},
                                                                   {0, 1, 2, 1},
                                                                   {0, 1, 1, 2},
                                                                   {0, 2, 1, 1},
                                                                   {2, 0, 1, 1},
                                                                   {1, 0, 1, 2},
                                                                   {1, 0, 2, 1},
                                                                   {2, 1, 1, 0},
                                                                   {1, 1, 2, 0},
                                                                   {1, 2, 1, 0},
                                                                   {1, 1, 1, 1}}));
}

class LagrangeNodes : public testing::TestWithParam<int> {};

/// As a set: every point whose barycentric coordinates are multiples of 1 / N, once.
template <std::size_t Vertices>
void expect_all_points(const std::vector<std::array<int, Vertices>>& nodes, int N, std::size_t count) {
  EXPECT_EQ(nodes.size(), count);
  EXPECT_EQ(std::set(nodes.begin(), nodes.end()).size(), count);
  for (const std::array<int, Vertices>& node : nodes) {
    EXPECT_EQ(std::accumulate(node.begin(), node.end(), 0), N);
    for (const int coordinate : node) EXPECT_GE(coordinate, 0);
  }
}

TEST_P(LagrangeNodes, are_all_the_equispaced_points_once) {
  const int N = GetParam();
  const auto n = static_cast<std::size_t>(N);
  expect_all_points(lagrange_triangle_nodes(N), N, (n + 1) * (n + 2) / 2);
  expect_all_points(lagrange_tetrahedron_nodes(N), N, (n + 1) * (n + 2) * (n + 3) / 6);
}

TEST_P(LagrangeNodes, go_from_outside_to_inside) {
  int layer_before = 0;
  for (const std::array<int, 4>& node : lagrange_tetrahedron_nodes(GetParam())) {
    const int layer = *std::min_element(node.begin(), node.end());  // how many steps away from the nearest face
    EXPECT_GE(layer, layer_before);
    layer_before = layer;
  }
}

INSTANTIATE_TEST_SUITE_P(orders, LagrangeNodes, testing::Range(1, 10));

}  // namespace
}  // namespace maxwell_dg::dg
