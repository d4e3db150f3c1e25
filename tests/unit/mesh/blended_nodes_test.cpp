#include "dg/mesh/gmsh/blended_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dg/mesh/checks.hpp"
#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/curved/folded_cells.hpp"
#include "tests/support/curved_mesh.hpp"

namespace maxwell_dg::dg {
namespace {

/// A cube of 48 cells, moved by a map.
Mesh moved_cube(int order, const std::function<Point(const Point&)>& map) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {2, 2, 2}});
  curve(mesh, order, map);
  return mesh;
}

Point of_degree_two(const Point& x) {
  return {x[0] + 0.1 * x[1] * x[2], x[1] - 0.1 * x[0] * x[0] + 0.05 * x[1] * x[1], x[2] + 0.1 * x[0] * x[1]};
}

double farthest_apart(const Mesh& a, const Mesh& b) {
  EXPECT_EQ(a.curved.nodes.size(), b.curved.nodes.size());
  double farthest = 0;
  for (std::size_t n = 0; n < a.curved.nodes.size(); ++n) {
    farthest = std::max(farthest, distance(a.curved.nodes[n], b.curved.nodes[n]));
  }
  return farthest;
}

/// Moves the nodes within cells and, alike on both sides, those within faces for which `moves` holds.
void disturb(Mesh& mesh, double by, const std::function<bool(const Connectivity&, std::size_t, std::size_t)>& moves) {
  const Connectivity connectivity = Connectivity::make(mesh);
  const auto places = geometry_nodes(mesh.curved.order);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    for (std::size_t n = 0; n < places.size(); ++n) {
      const auto zeros = std::ranges::count(places[n], 0);
      if (zeros > 1) continue;
      bool does_move = zeros == 0;
      for (std::size_t f = 0; f < 4; ++f) {
        const auto& [a, b, c] = face_vertices.at(f);
        if (zeros == 1 && places[n][a] * places[n][b] * places[n][c] > 0) does_move = moves(connectivity, k, f);
      }
      Point& x = mesh.curved.nodes_of(k)[n];
      if (does_move)
        x = {x[0] + by * std::sin(40 * x[1]), x[1] + by * std::sin(50 * x[2]), x[2] + by * std::cos(60 * x[0])};
    }
  }
}

bool lies_amid_cells(const Connectivity& connectivity, std::size_t cell, std::size_t face) {
  return connectivity.neighbours[cell][face] >= 0;
}
bool lies_outside(const Connectivity& connectivity, std::size_t cell, std::size_t face) {
  return !lies_amid_cells(connectivity, cell, face);
}

TEST(BlendedNodes, are_those_of_a_map_of_degree_two_wherever_they_were) {
  for (int order = 3; order <= CurvedCells::highest_order; ++order) {
    const Mesh exact = moved_cube(order, of_degree_two);
    Mesh mesh = exact;
    disturb(mesh, 1e-3, lies_amid_cells);
    EXPECT_GT(farthest_apart(mesh, exact), 1e-4);
    EXPECT_EQ(blend_nodes(mesh, std::vector<int>(mesh.cells.size(), 1)), 0U);
    EXPECT_LT(farthest_apart(mesh, exact), 1e-13) << "order " << order;
  }
}

TEST(BlendedNodes, stay_at_edges_and_on_surfaces_and_are_the_same_on_both_sides_of_a_face) {
  for (const int order : {2, 3, 6}) {
    Mesh given = moved_cube(order, testing::waves(0.03));
    disturb(given, 1e-3, lies_outside);
    std::vector<int> volume(given.cells.size(), 1);
    std::fill(volume.begin(), volume.begin() + 20, 2);
    const Connectivity connectivity = Connectivity::make(given);
    const auto [cell, face] = std::pair<std::size_t, std::size_t>{30, 1};
    const auto& [a, b, c] = face_vertices.at(face);
    given.surfaces.push_back("named");
    given.surface_faces.push_back({{given.cells[cell][a], given.cells[cell][b], given.cells[cell][c]},
                                   static_cast<std::int32_t>(given.surfaces.size() - 1)});
    Mesh mesh = given;
    EXPECT_EQ(blend_nodes(mesh, volume), 0U);
    const auto places = geometry_nodes(order);
    for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
      for (std::size_t n = 0; n < places.size(); ++n) {
        bool stays = std::ranges::count(places[n], 0) > 1;
        for (std::size_t f = 0; f < 4; ++f) {
          const auto other = connectivity.neighbours[k][f];
          const bool is_surface = other < 0 || volume[k] != volume[index(other / 4)] || (k == cell && f == face);
          const auto& corners = face_vertices.at(f);
          const bool has_node = places[n][corners[0]] + places[n][corners[1]] + places[n][corners[2]] == order;
          stays = stays || (is_surface && has_node);
        }
        if (!stays) continue;
        EXPECT_EQ(mesh.curved.nodes_of(k)[n], given.curved.nodes_of(k)[n]) << "cell " << k << ", node " << n;
      }
    }
    EXPECT_EQ(mesh.curved.nodes == given.curved.nodes, order == 2);
    faces_that_differ(mesh, connectivity).require_none("blended", "face", "faces", "");
  }
}

TEST(BlendedNodes, of_cells_that_would_fold_over_stay) {
  const Mesh given = moved_cube(5, testing::waves(0.33, 2));
  ASSERT_TRUE(folded_cells(given).empty());
  Mesh mesh = given;
  EXPECT_EQ(blend_nodes(mesh, std::vector<int>(mesh.cells.size(), 1)), 2U);
  EXPECT_TRUE(folded_cells(mesh).empty());
  const auto stays = [&](std::size_t k) {
    return std::ranges::equal(mesh.curved.nodes_of(k), given.curved.nodes_of(k));
  };
  std::size_t count = 0;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) count += stays(k) ? 1 : 0;
  EXPECT_EQ(count, 2U);
  faces_that_differ(mesh, Connectivity::make(mesh)).require_none("blended", "face", "faces", "");
}

}  // namespace
}  // namespace maxwell_dg::dg
