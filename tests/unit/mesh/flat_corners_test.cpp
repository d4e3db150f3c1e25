#include "dg/mesh/gmsh/flat_corners.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dg/mesh/gmsh/cad_import.hpp"

namespace maxwell_dg::dg {
namespace {

bool never(int, int, int) {
  return false;
}

double volume6(const Tetrahedra& mesh, const std::array<int, 4>& cell) {
  const auto p = [&](std::size_t a) { return mesh.points[static_cast<std::size_t>(cell[a])]; };
  return dot(minus(p(1), p(0)), cross(minus(p(2), p(0)), minus(p(3), p(0))));
}

double total(const Tetrahedra& mesh) {
  double sum = 0;
  for (const auto& cell : mesh.cells) {
    EXPECT_GT(volume6(mesh, cell), 0);
    sum += volume6(mesh, cell);
  }
  return sum;
}

/// A flat tetrahedron 0 1 2 3 with the faces 0 1 2 and 0 1 3 on a surface above, and two deep ones below its others.
Tetrahedra roof() {
  return {.points = {{-1, 0, 0.3}, {1, 0, 0.3}, {0, -1, 0}, {0, 1, 0}, {-0.5, 0, -1}, {0.5, 0, -1}},
          .cells = {{0, 1, 3, 2}, {0, 2, 3, 4}, {1, 3, 2, 5}, {2, 3, 4, 5}},
          .volume = {7, 7, 7, 7}};
}

SurfaceEdges edges_of(int first, int second) {
  return {{{0, 1}, {first, second}}, {{0, 2}, {first}}, {{1, 2}, {first}}, {{0, 3}, {second}}, {{1, 3}, {second}}};
}

TEST(FlatCorners, edge_below_two_faces_of_one_surface_is_halved_in_all_cells_around_it) {
  Tetrahedra mesh = roof();
  for (auto& cell : mesh.cells) {
    if (volume6(mesh, cell) < 0) std::swap(cell[2], cell[3]);
  }
  const double before = total(mesh);
  EXPECT_EQ(cut_flat_corners(mesh, edges_of(1, 1), never), 1U);
  ASSERT_EQ(mesh.points.size(), 7U) << "one point";
  EXPECT_EQ(mesh.cells.size(), 8U) << "each of four cells has two halves";
  EXPECT_EQ(mesh.volume, std::vector<int>(8, 7));
  EXPECT_LT(mesh.points[6][2], -0.05) << "below the edge, where cells are deeper";
  EXPECT_NEAR(total(mesh), before, 1e-12);
  for (const auto& cell : mesh.cells) {
    const bool has_both = std::ranges::count(cell, 2) + std::ranges::count(cell, 3) == 2;
    EXPECT_FALSE(has_both) << "the edge is gone";
  }
  EXPECT_EQ(cut_flat_corners(mesh, edges_of(1, 1), never), 0U);
}

TEST(FlatCorners, surfaces_that_meet_at_an_angle_are_left_alone_and_tangent_ones_are_not) {
  Tetrahedra mesh = roof();
  EXPECT_EQ(cut_flat_corners(mesh, edges_of(1, 2), never), 0U);
  EXPECT_EQ(mesh.cells, roof().cells);
  EXPECT_EQ(cut_flat_corners(mesh, edges_of(1, 2), [](int point, int, int) { return point < 2; }), 1U);
  EXPECT_EQ(mesh.points.size(), 7U);
}

TEST(FlatCorners, cell_all_of_whose_edges_are_on_the_surface_is_cut_at_its_centre) {
  Tetrahedra mesh{.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .cells = {{0, 1, 2, 3}}, .volume = {1}};
  SurfaceEdges all;
  for (int a = 0; a < 4; ++a) {
    for (int b = a + 1; b < 4; ++b) all[{a, b}] = {1};
  }
  EXPECT_EQ(cut_flat_corners(mesh, all, never), 1U);
  EXPECT_EQ(mesh.cells.size(), 4U);
  EXPECT_EQ(mesh.points.at(4), (Point{0.25, 0.25, 0.25}));
  EXPECT_NEAR(total(mesh), 1, 1e-14);
}

TEST(CadLabels, name_is_the_last_part_that_somebody_gave) {
  EXPECT_EQ(name_in_label("Shapes/assembly/1/horn"), "horn");
  EXPECT_EQ(name_in_label("Shapes/Open CASCADE STEP translator 7.6 1/2/left wall"), "left wall");
  EXPECT_EQ(name_in_label("Shapes/body/SOLID"), "body");
  EXPECT_EQ(name_in_label("Shapes/Open CASCADE STEP translator 7.6 1/1/Open CASCADE STEP translator 7.6 1.1"), "");
  EXPECT_EQ(name_in_label("Shapes/COMPOUND/12"), "");
  EXPECT_EQ(name_in_label(""), "");
}

TEST(CadLabels, gmsh_without_open_cascade_is_said_to_be) {
  EXPECT_NO_THROW(require_open_cascade("64Bit Mesh OpenCASCADE OpenCASCADE-CAF Zlib"));
  try {
    require_open_cascade("64Bit Mesh OpenCASCADE-CAF Zlib");
    ADD_FAILURE() << "it was taken";
  } catch (const MeshError& error) {
    EXPECT_NE(std::string(error.what()).find("built without; run `maxwell_dg --convert`"), std::string::npos);
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
