#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/enclosing_surface.hpp"
#include "dg/mesh/periodic.hpp"
#include "tests/support/named_faces.hpp"

namespace maxwell_dg::dg {
namespace {

/// The unit cube in two regions, `low` and `high`, between which half of the faces are called `plate`.
Mesh with_plate() {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {4, 4, 4}});
  mesh.regions = {"low", "high"};
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    mesh.cell_region[k] = centroid(mesh, mesh.cells[k])[2] < 0.5 ? 0 : 1;
  }
  maxwell_dg::testing::name_faces(mesh, "plate",
                                  [](const Point& x) { return std::abs(x[2] - 0.5) < 1e-9 && x[0] < 0.5 + 1e-9; });
  prepare(mesh, "cube", Orientation::any);
  return mesh;
}

Mesh with_wall() {
  Mesh mesh = with_plate();
  mesh.walls.assign(mesh.surfaces.size(), false);
  mesh.walls.back() = true;
  return mesh;
}

constexpr std::size_t of_plate = 16;  // two triangles for each of 2 x 4 squares

TEST(Walls, are_boundary_faces_from_both_sides_and_know_what_is_behind) {
  const Connectivity open = Connectivity::make(with_plate());
  const Mesh mesh = with_wall();
  const Connectivity parted = Connectivity::make(mesh);
  EXPECT_EQ(parted.boundary_faces.size(), open.boundary_faces.size() + 2 * of_plate);
  std::size_t inside = 0;
  for (const Connectivity::BoundaryFace& face : parted.boundary_faces) {
    const std::int32_t was = open.neighbours[index(face.cell)].at(index(face.face));
    EXPECT_EQ(face.is_inside(), was >= 0);
    if (!face.is_inside()) continue;
    ++inside;
    EXPECT_EQ(mesh.surfaces[index(face.surface)], "plate");
    EXPECT_EQ(face.behind, mesh.cell_region[index(was / 4)]);
    EXPECT_NE(face.behind, mesh.cell_region[index(face.cell)]);
  }
  EXPECT_EQ(inside, 2 * of_plate);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t neighbour = parted.neighbours[k].at(f);
      EXPECT_TRUE(neighbour < 0 || neighbour == open.neighbours[k].at(f));
    }
  }
}

TEST(Walls, do_nothing_on_the_outside_of_a_mesh) {
  Mesh mesh = with_plate();
  const Connectivity before = Connectivity::make(mesh);
  mesh.walls.assign(mesh.surfaces.size(), true);
  mesh.walls.back() = false;
  EXPECT_EQ(Connectivity::make(mesh).neighbours, before.neighbours);
}

TEST(Walls, part_what_is_joined_by_periodic_surfaces_and_both_parts_of_complex_fields) {
  Mesh mesh = with_plate();
  join_periodic(mesh, std::vector<PeriodicPair>{{"y_min", "y_max", "y"}});
  const std::size_t open = Connectivity::make(mesh).boundary_faces.size();
  mesh.walls.assign(mesh.surfaces.size(), false);
  mesh.walls.back() = true;
  EXPECT_EQ(Connectivity::make(mesh).boundary_faces.size(), open + 2 * of_plate);
  append_copy(mesh);
  EXPECT_EQ(Connectivity::make(mesh).boundary_faces.size(), 2 * (open + 2 * of_plate));
}

TEST(Walls, belong_to_the_surface_around_what_is_behind_them) {
  const auto faces_around_low = [](const Mesh& mesh, const RegionSet& regions) {
    std::vector<bool> enclosed;
    for (const std::int32_t region : mesh.cell_region) enclosed.push_back(regions.contains(region));
    const auto faces = enclosing_surface(Connectivity::make(mesh), enclosed, regions);
    for (const ElementFace& face : faces) EXPECT_FALSE(enclosed[face.element]);
    return faces.size();
  };
  const RegionSet low{.named = {true, false}};
  EXPECT_EQ(faces_around_low(with_plate(), low), 2 * of_plate);
  EXPECT_EQ(faces_around_low(with_wall(), low), 2 * of_plate);
  EXPECT_EQ(faces_around_low(with_wall(), {.named = {true, true}}), 0U);
}

}  // namespace
}  // namespace maxwell_dg::dg
