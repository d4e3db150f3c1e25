#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "dg/mesh/discretization.hpp"
#include "dg/mesh/space_filling_curve.hpp"

namespace maxwell_dg::dg {
namespace {

double volume(const Geometry& geometry) {
  double sum = 0;
  for (const double J : geometry.J) sum += std::abs(J) * 4 / 3;
  return sum;
}

double face_area(const Geometry& geometry, std::size_t k, std::size_t f) {
  return 2 * geometry.faces[k][f].Fscale * std::abs(geometry.J[k]);
}

/// A box whose interior vertices are moved at random: nothing is special about its shapes.
Mesh shaken_box(int cells, double amplitude = 0.15) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {cells, cells, cells}});
  std::mt19937 random(7);
  std::uniform_real_distribution<double> shift(-amplitude / cells, amplitude / cells);
  for (Point& p : mesh.vertices) {
    for (double& x : p) {
      if (x > 1e-12 && x < 1 - 1e-12) x += shift(random);
    }
  }
  prepare(mesh, "shaken box", Orientation::any);
  return mesh;
}

TEST(Box, has_six_tetrahedra_a_cuboid_and_the_right_volume) {
  const Mesh mesh = make_box({.min = {-1, 0, 2}, .max = {1, 3, 2.5}, .cells = {3, 4, 2}});
  EXPECT_EQ(mesh.cells.size(), 6U * 3 * 4 * 2);
  EXPECT_EQ(mesh.vertices.size(), 4U * 5 * 3);
  EXPECT_NEAR(volume(Geometry::make(mesh)), 3.0, 1e-13);
}

TEST(Box, is_refused_when_empty_or_without_cells) {
  EXPECT_THROW((void)make_box({.cells = {2, 0, 2}}), std::invalid_argument);
  EXPECT_THROW((void)make_box({.min = {0, 0, 0}, .max = {1, 0, 1}}), std::invalid_argument);
  EXPECT_THROW((void)make_box({.cells = {2000, 2000, 2000}}), std::invalid_argument);
}

TEST(Box, boundary_faces_carry_the_names_of_the_sides_and_cover_them) {
  const Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 2, 3}, .cells = {2, 3, 4}});
  const auto geometry = Geometry::make(mesh);
  const auto connectivity = Connectivity::make(mesh);
  ASSERT_EQ(mesh.surfaces, (std::vector<std::string>{"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"}));
  EXPECT_EQ(mesh.regions, std::vector<std::string>{"interior"});
  std::vector<double> area(6, 0.0);
  for (const auto& b : connectivity.boundary_faces) {
    ASSERT_GE(b.surface, 0);
    area[b.surface] += face_area(geometry, b.cell, b.face);
    const auto& face = geometry.faces[b.cell][b.face];
    const Point n{face.nx, face.ny, face.nz};
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(n[d], d != b.surface / 2 ? 0 : b.surface % 2 == 0 ? -1 : 1, 1e-14);
    }
  }
  const std::vector<double> expected{6, 6, 3, 3, 2, 2};
  for (std::size_t s = 0; s < 6; ++s) EXPECT_NEAR(area[s], expected[s], 1e-13);
}

TEST(Prepare, sorts_vertices_numbers_them_by_first_use_and_is_idempotent) {
  const Mesh mesh = shaken_box(4);
  std::int32_t next = 0;
  for (const auto& cell : mesh.cells) {
    EXPECT_TRUE(std::is_sorted(cell.begin(), cell.end()));
    for (const auto v : cell) {
      ASSERT_LE(v, next);
      if (v == next) ++next;
    }
  }
  EXPECT_EQ(static_cast<std::size_t>(next), mesh.vertices.size());

  Mesh again = mesh;
  for (auto& cell : again.cells) std::reverse(cell.begin(), cell.end());
  prepare(again, "again", Orientation::any);
  EXPECT_EQ(again.cells, mesh.cells);
  EXPECT_EQ(again.vertices, mesh.vertices);
}

TEST(Prepare, drops_vertices_that_no_cell_uses) {
  Mesh mesh;
  mesh.vertices = {{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.cells = {{1, 2, 3, 4}};
  mesh.cell_region = {-1};
  prepare(mesh, "one");
  EXPECT_EQ(mesh.vertices.size(), 4U);
  EXPECT_EQ(mesh.cells[0], (std::array<std::int32_t, 4>{0, 1, 2, 3}));
}

TEST(HilbertCurve, steps_to_a_lattice_neighbour_each_time) {
  constexpr std::uint32_t n = 16;  // this corner of the lattice is a curve of its own
  std::map<std::uint64_t, std::array<std::uint32_t, 3>> along;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      for (std::uint32_t k = 0; k < n; ++k) along[hilbert_index({i, j, k})] = {i, j, k};
    }
  }
  ASSERT_EQ(along.size(), n * n * n);
  EXPECT_EQ(along.rbegin()->first, n * n * n - 1);
  auto last = along.begin()->second;
  for (const auto& [index, x] : along) {
    if (index == 0) continue;
    std::uint32_t step = 0;
    for (std::size_t d = 0; d < 3; ++d) step += x[d] > last[d] ? x[d] - last[d] : last[d] - x[d];
    ASSERT_EQ(step, 1U) << "at " << index;
    last = x;
  }
}

TEST(Connectivity, is_symmetric_and_both_sides_share_the_vertices) {
  const Mesh mesh = shaken_box(3);
  const auto connectivity = Connectivity::make(mesh);
  std::size_t exterior = 0;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    for (std::size_t f = 0; f < 4; ++f) {
      const auto other = connectivity.neighbours[k][f];
      if (other < 0) {
        const auto& b = connectivity.boundary_faces.at(-1 - other);
        EXPECT_EQ(b.cell, static_cast<std::int32_t>(k));
        EXPECT_EQ(b.face, static_cast<std::int32_t>(f));
        ++exterior;
        continue;
      }
      EXPECT_EQ(connectivity.neighbours[other / 4][other % 4], static_cast<std::int32_t>(4 * k + f));
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(mesh.cells[k][face_vertices[f][i]], mesh.cells[other / 4][face_vertices[other % 4][i]]);
      }
    }
  }
  EXPECT_EQ(exterior, connectivity.boundary_faces.size());
  EXPECT_EQ(exterior, 6U * 2 * 9);
}

TEST(Discretization, face_nodes_of_both_sides_coincide_in_space) {
  for (const int N : {1, 3, 6}) {
    const Discretization d(shaken_box(2), N);
    for (std::size_t k = 0; k < d.K(); ++k) {
      for (int f = 0; f < 4; ++f) {
        const auto other = d.connectivity.neighbours[k][f];
        if (other < 0) continue;
        for (int i = 0; i < d.Nfp(); ++i) {
          const Point here = d.node(k, d.reference.Fmask(i, f));
          const Point there = d.node(other / 4, d.reference.Fmask(i, other % 4));
          ASSERT_LT(distance(here, there), 1e-14);
        }
      }
    }
  }
}

TEST(Discretization, physical_derivatives_by_the_metric_are_exact) {
  const Discretization d(shaken_box(2), 2);
  for (std::size_t k = 0; k < d.K(); ++k) {
    Eigen::VectorXd u(d.Np());
    for (int i = 0; i < d.Np(); ++i) {
      const auto [x, y, z] = d.node(k, i);
      u(i) = x * y + 3 * z * z - y;
    }
    const Eigen::VectorXd ur = d.reference.Dr * u, us = d.reference.Ds * u, ut = d.reference.Dt * u;
    const auto& m = d.geometry.metric[k];
    for (int i = 0; i < d.Np(); ++i) {
      const auto [x, y, z] = d.node(k, i);
      ASSERT_NEAR(m[0] * ur(i) + m[3] * us(i) + m[6] * ut(i), y, 1e-11);
      ASSERT_NEAR(m[1] * ur(i) + m[4] * us(i) + m[7] * ut(i), x - 1, 1e-11);
      ASSERT_NEAR(m[2] * ur(i) + m[5] * us(i) + m[8] * ut(i), 6 * z, 1e-11);
    }
  }
}

TEST(Geometry, normals_are_outward_units_and_faces_close_every_cell) {
  const Mesh mesh = shaken_box(3);
  const auto geometry = Geometry::make(mesh);
  std::set<bool> signs;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    signs.insert(geometry.J[k] > 0);
    Point closed{};
    for (std::size_t f = 0; f < 4; ++f) {
      const auto& face = geometry.faces[k][f];
      EXPECT_NEAR(std::hypot(face.nx, face.ny, face.nz), 1, 1e-14);
      const double area = face_area(geometry, k, f);
      closed[0] += area * face.nx;
      closed[1] += area * face.ny;
      closed[2] += area * face.nz;
      // The vertex opposite to the face lies behind it, at a height of 2 / Fscale.
      const std::size_t opposite = std::array<std::size_t, 4>{3, 2, 0, 1}[f];
      const Point& on = mesh.vertices[mesh.cells[k][face_vertices[f][0]]];
      const Point& behind = mesh.vertices[mesh.cells[k][opposite]];
      const double height =
          (on[0] - behind[0]) * face.nx + (on[1] - behind[1]) * face.ny + (on[2] - behind[2]) * face.nz;
      EXPECT_NEAR(height * face.Fscale, 2, 1e-11);
    }
    EXPECT_LT(std::hypot(closed[0], closed[1], closed[2]), 1e-14);
  }
  EXPECT_EQ(signs.size(), 2U) << "sorted vertices should give Jacobians of both signs";
}

TEST(Geometry, divergence_theorem_holds_on_the_whole_mesh) {
  // div x = 3: three times the volume is the flux of x through the exterior faces.
  const Mesh mesh = shaken_box(4);
  const auto geometry = Geometry::make(mesh);
  const auto connectivity = Connectivity::make(mesh);
  double flux = 0;
  for (const auto& b : connectivity.boundary_faces) {
    const auto& face = geometry.faces[b.cell][b.face];
    const Point& p = mesh.vertices[mesh.cells[b.cell][face_vertices[b.face][0]]];
    flux += face_area(geometry, b.cell, b.face) * (p[0] * face.nx + p[1] * face.ny + p[2] * face.nz);
  }
  EXPECT_NEAR(flux, 3 * volume(geometry), 1e-12);
  EXPECT_NEAR(flux, 3, 1e-12);
}

TEST(Geometry, inscribed_radius_of_a_corner_tetrahedron) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.cells = {{0, 1, 2, 3}};
  // 3 V / A with V = 1/6 and A = 3/2 + sqrt(3)/2
  EXPECT_NEAR(inscribed_radius(Geometry::make(mesh), 0), 0.5 / (1.5 + std::sqrt(3.0) / 2), 1e-15);
}

TEST(PointLocator, finds_every_cell_by_its_inside_points) {
  const Discretization d(shaken_box(4), 3);
  const PointLocator locator(d.mesh, d.geometry);
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (const Point& rst : {Point{-0.5, -0.5, -0.5}, Point{-0.98, -0.98, -0.02}, Point{0.9, -0.97, -0.96}}) {
      Point x{};
      const auto& cell = d.mesh.cells[k];
      const std::array<double, 4> lambda{-0.5 * (1 + rst[0] + rst[1] + rst[2]), 0.5 * (1 + rst[0]), 0.5 * (1 + rst[1]),
                                         0.5 * (1 + rst[2])};
      for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t i = 0; i < 3; ++i) x[i] += lambda[a] * d.mesh.vertices[cell[a]][i];
      }
      const auto found = locator.locate(x);
      ASSERT_TRUE(found);
      ASSERT_EQ(found->cell, k);
      ASSERT_LT(distance(found->rst, rst), 1e-12);
    }
  }
}

TEST(PointLocator, takes_points_on_faces_edges_and_vertices_and_refuses_points_outside) {
  const Discretization d(shaken_box(3), 4);
  const PointLocator locator(d.mesh, d.geometry);
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (int i = 0; i < d.Np(); ++i) {
      const Point x = d.node(k, i);
      const auto found = locator.locate(x);
      ASSERT_TRUE(found) << x[0] << ' ' << x[1] << ' ' << x[2];
      ASSERT_LT(std::abs(d.reference.lagrange(found->rst[0], found->rst[1], found->rst[2]).sum() - 1), 1e-12);
    }
  }
  for (const Point& x : {Point{1 + 1e-6, 0.5, 0.5}, Point{0.5, -1e-6, 0.5}, Point{7, 7, 7}, Point{NAN, 0.5, 0.5}}) {
    EXPECT_FALSE(locator.locate(x));
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
