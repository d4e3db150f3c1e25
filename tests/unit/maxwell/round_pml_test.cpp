#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/pml_flux.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/curved/folded_cells.hpp"
#include "dg/time/spectrum.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/relative_growth.hpp"
#include "tests/support/ring.hpp"
#include "tests/support/round_layer.hpp"

/// Eigenvalues of small problems with a PML of curved elements on all sides that are no walls.
namespace maxwell_dg::dg::maxwell {
namespace {

using testing::PartOfBall;
using testing::relative_growth;

struct RoundPmlCase {
  testing::RoundLayerShape shape;
  int N = 1;
  double flux{};
  std::optional<double> reflection{};
  double sigma = 0;           ///< everywhere
  std::vector<Pole> poles{};  ///< in the PML
  double begin = 1.0;         ///< the radius
};

double growth_in(const RoundPmlCase& c) {
  testing::RoundLayer round = testing::round_layer(c.shape);
  if (c.shape.layers > 1) testing::count_layer_as_curved(round);
  EXPECT_TRUE(folded_cells(round.mesh).empty());
  const Discretization d(round.mesh, c.N);
  Problem problem = testing::plain_problem(system({.alpha = c.flux}), d);
  std::ranges::fill(problem.parameters[2], c.sigma);
  if (c.shape.has_feed) {
    EXPECT_EQ(testing::absorb_at_end_of_feed(d, problem), 1);
    EXPECT_EQ(round.layer.size(), 9) << "three of twelve elements of the shell are the guide's";
  }
  const PmlLayer layer(d, round.layer, round.thickness + 1 - c.begin, c.reflection);
  EXPECT_NEAR(layer.depth({0, 0, c.begin + 0.1}), 0.1 / (round.thickness + 1 - c.begin), 1e-9) << "a sphere";
  problem.element_terms = pml_terms(problem, d, round.layer, 0.1, layer, {{.poles = c.poles, .elements = round.layer}});
  problem.face_terms = pml_flux_terms(problem, d, round.layer);
  if (c.shape.layers == 1) {
    EXPECT_EQ(problem.element_terms.at(0).elements.size(), round.layer.size());
  }
  return relative_growth(d, problem);
}

/// Between three walls.
TEST(RoundPml, lets_no_mode_grow_in_the_corner_of_a_ball) {
  for (const double flux : {0.0, 0.5, 1.0}) {
    for (const int N : {1, 2}) {
      for (const double uneven : {0.0, 0.03}) {
        EXPECT_LT(growth_in({.shape = {.uneven = uneven}, .N = N, .flux = flux}), 1e-13) << N << ' ' << flux;
        EXPECT_LT(growth_in({{.uneven = uneven}, N, flux, 1e-8}), 1e-13) << N << ' ' << flux;
      }
    }
  }
}

/// The inner faces deviate by 5 % of the thickness from the sphere where it begins, with which a damping that began
/// with a jump let modes grow at these orders (docs/theory.md).
TEST(RoundPml, lets_no_mode_grow_at_a_higher_order) {
  for (const double flux : {0.0, 1.0}) EXPECT_LT(growth_in({{.uneven = 0.03}, 3, flux}), 1e-13) << flux;
}

TEST(RoundPml, lets_no_mode_grow_at_order_4) {
  for (const double flux : {0.0, 1.0}) EXPECT_LT(growth_in({{.uneven = 0.03}, 4, flux}), 1e-13) << flux;
}

TEST(RoundPml, lets_no_mode_grow_where_the_geometry_is_of_a_higher_order) {
  for (const double flux : {0.0, 1.0}) {
    EXPECT_LT(growth_in({{.order = 3, .divisions = 2, .uneven = 0.03}, 1, flux, 1e-6}), 1e-13) << flux;
  }
}

TEST(RoundPml, lets_no_mode_grow_in_half_of_a_ball_over_a_ground) {
  for (const double flux : {0.0, 0.5, 1.0}) {
    EXPECT_LT(growth_in({{.part = PartOfBall::half, .seed = 1}, 1, flux, 1e-8}), 1e-13) << flux;
  }
}

TEST(RoundPml, lets_no_mode_grow_in_a_ball) {
  EXPECT_LT(growth_in({{.part = PartOfBall::whole}, 1, 0, 1e-8}), 1e-13);
}

TEST(RoundPml, lets_no_mode_grow_in_media_that_go_on_into_it) {
  using Model = Pole::Model;
  for (const Pole& pole : {Pole{Model::debye, 2.0, 1.5}, {Model::drude, 3.0, 0.2}, {Model::lorentz, 1.5, 0.3, 2.0}}) {
    for (const double flux : {0.0, 1.0}) {
      EXPECT_LT(growth_in({{.uneven = 0.03}, 1, flux, 1e-6, 0.3, {pole}}), 1e-13) << flux;
    }
  }
}

/// Four of the six elements of the shell are straight. The PML begins within the core, in front of their flat inner
/// faces.
TEST(RoundPml, lets_no_mode_grow_where_straight_elements_amid_curved_ones_count_as_curved) {
  for (const double flux : {0.0, 1.0}) {
    for (const int N : {1, 2}) {
      EXPECT_LT(growth_in({.shape = {.layers = 2}, .N = N, .flux = flux, .reflection = 1e-8, .begin = 0.5}), 1e-13)
          << flux << ' ' << N;
    }
  }
}

/// Its inner faces are flat, and lead through the sphere where the PML begins, or that lies within its elements.
TEST(RoundPml, lets_no_mode_grow_where_it_begins_within_elements) {
  for (const double flux : {0.0, 1.0}) {
    for (const double begin : {1.0, 1.1}) {
      EXPECT_LT(growth_in({.shape = {.layers = 2}, .N = 1, .flux = flux, .reflection = 1e-8, .begin = begin}), 1e-13)
          << flux << ' ' << begin;
    }
  }
  EXPECT_LT(growth_in({.shape = {.layers = 2}, .N = 2, .flux = 0, .reflection = 1e-8}), 1e-13);
}

/// A quarter of a cylinder, of radius and height 1.6, in prisms of three elements each: a core, and around and above it
/// a PML that begins at the radius 1 and the height 1, from which its inner faces deviate by this.
testing::RoundLayer quarter_of_cylinder(double uneven) {
  constexpr double outer = 1.6, thickness = 0.6;
  testing::RoundLayer made{.mesh = {}, .layer = {}, .thickness = thickness};
  Mesh& mesh = made.mesh;
  for (const double z : {0.0, 1.0, outer}) {
    for (const auto& [x, y] : {std::array{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {outer, 0.0}, {0.0, outer}}) {
      mesh.vertices.push_back({x, y, z});
    }
  }
  for (const std::int32_t low : {0, 5}) {
    for (const auto& [i, j, k] : {std::array{0, 1, 2}, {1, 2, 4}, {1, 3, 4}}) {
      const std::int32_t a = low + i, b = low + j, c = low + k;
      mesh.cells.insert(mesh.cells.end(), {{a, b, c, c + 5}, {a, b, b + 5, c + 5}, {a, a + 5, b + 5, c + 5}});
    }
  }
  mesh.cell_region.assign(mesh.cells.size(), -1);
  prepare(mesh, "quarter of a cylinder", Orientation::any);
  const auto level_of = [](const Point& x) { return x[0] + x[1]; };
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    const Point centre = centroid(mesh, mesh.cells[k]);
    if (std::max(level_of(centre), centre[2]) > 1) made.layer.push_back(static_cast<std::int32_t>(k));
  }
  curve(mesh, 4, [&](const Point& x) {
    const double level = level_of(x), r = std::hypot(x[0], x[1]);
    const double wave = uneven * std::sin(5 * x[0] + 3 * x[1] - 4 * x[2]);
    const auto at_inner_face = [&](double at) { return std::min(at, (outer - at) / thickness); };
    const double z = x[2] + wave * at_inner_face(x[2]);
    if (r == 0) return Point{0, 0, z};
    const double factor = 1 + std::min(1.0, level * level) * (level / r - 1) + wave * at_inner_face(level);
    return Point{factor * x[0], factor * x[1], z};
  });
  return made;
}

/// The largest real part of the eigenvalues around 8 radians a unit of time: there was one of 0.35 + 6i, at order 2
/// with the central flux, and the PML's own that lie near 0 are farther away.
double growth_in_cylinder(double uneven, int N, double flux) {
  const testing::RoundLayer round = quarter_of_cylinder(uneven);
  EXPECT_TRUE(folded_cells(round.mesh).empty());
  const Discretization d(round.mesh, N);
  Problem problem = testing::plain_problem(system({.alpha = flux}), d);
  const PmlLayer layer(d, round.layer, round.thickness, 1e-8);
  EXPECT_NEAR(layer.depth({0.3, 0.4, 1.3}), 0.5, 1e-9) << "of the cap";
  EXPECT_NEAR(layer.depth({0.78, 1.04, 0.5}), 0.5, 1e-9) << "of the side";
  problem.element_terms = pml_terms(problem, d, round.layer, 0.1, layer);
  problem.face_terms = pml_flux_terms(problem, d, round.layer);
  double growth = -1e300, fastest = 0;
  for (const std::complex<double>& value : eigenvalues_near(8, dense_matrix(d, problem), 300)) {
    growth = std::max(growth, value.real());
    fastest = std::max(fastest, value.imag());
  }
  EXPECT_GT(fastest, 6);
  return growth;
}

/// Where its neighbours have the central flux, one does at order 2.
TEST(RoundPml, lets_no_mode_grow_where_side_and_cap_of_a_cylinder_meet) {
  constexpr double rounding = 1e-7;
  for (const double flux : {0.0, 1.0}) {
    for (const double uneven : {0.0, 0.06}) {
      EXPECT_LT(growth_in_cylinder(uneven, 1, flux), rounding) << flux << ' ' << uneven;
    }
  }
  EXPECT_LT(growth_in_cylinder(0, 2, 0), rounding);
  EXPECT_LT(growth_in_cylinder(0.03, 2, 0), rounding);
}

TEST(RoundPml, is_tested_by_eigenvalues_that_are_those_of_the_matrix) {
  const testing::RoundLayer round = testing::round_layer({});
  const Discretization d(round.mesh, 1);
  Problem problem = testing::plain_problem(system({.alpha = 0.0}), d);
  problem.element_terms = pml_terms(problem, d, round.layer, 0.1, PmlLayer(d, round.layer, round.thickness));
  problem.face_terms = pml_flux_terms(problem, d, round.layer);
  const std::vector<std::complex<double>> all = all_eigenvalues(d, problem);
  const std::vector<std::complex<double>> near = eigenvalues_near(8, dense_matrix(d, problem), 150);
  EXPECT_GT(near.size(), 4);
  for (const std::complex<double>& value : near) {
    const auto off = [&](const std::complex<double>& other) { return std::abs(other - value); };
    EXPECT_LT(off(*std::ranges::min_element(all, {}, off)), 1e-6) << value;
  }
}

TEST(RoundPml, lets_no_mode_grow_around_a_feed) {
  for (const double uneven : {0.0, 0.03}) {
    for (const double flux : {0.0, 0.5, 1.0}) {
      const testing::RoundLayerShape fed{.divisions = 2, .uneven = uneven, .has_feed = true};
      EXPECT_LT(growth_in({fed, 1, flux, 1e-8}), 1e-13) << flux << ' ' << uneven;
    }
  }
  EXPECT_LT(growth_in({{.divisions = 2, .uneven = 0.03, .has_feed = true}, 2, 0, 1e-8}), 1e-13);
}

/// A quarter of a coaxial line around a rod, without a PML in it, that leads through the upper end of a cylinder with a
/// PML there and at its side, and opens into the cylinder below. With the central flux, for which less damps in the
/// other elements; the upwind one was as good, and would take as long again.
TEST(RoundPml, lets_no_mode_grow_around_a_coaxial_line_through_the_end_of_a_cylinder) {
  constexpr double thickness = 0.7 / 3, shield = 0.3 + thickness, height = 2 * thickness, rounding = 1e-9;
  const Discretization d(testing::ring_mesh({.order = 2, .across = 3, .layers = 2, .height = height, .shield = shield}),
                         1);
  std::vector<std::int32_t> elements;
  for (std::size_t k = 0; k < d.K(); ++k) {
    const auto all = [&](const auto& condition) {
      return std::ranges::all_of(d.mesh.cells[k], [&](std::int32_t v) {
        const Point& x = d.mesh.vertices[index(v)];
        return condition(std::hypot(x[0], x[1]) + rounding, x[2] + rounding);
      });
    };
    const bool is_beside = all([](double r, double) { return r > 1 - thickness; });
    const bool is_above = all([](double r, double z) { return r > shield && z > height - thickness; });
    if (is_beside || is_above) elements.push_back(static_cast<std::int32_t>(k));
  }
  EXPECT_EQ(elements.size(), 18U);
  const PmlLayer layer(d, elements, thickness, 1e-8);
  EXPECT_NEAR(layer.depth({0, 1 - 0.4 * thickness, 0}), 0.6, 1e-9) << "around the axis";
  EXPECT_NEAR(layer.depth({0, 0.6, height - 0.4 * thickness}), 0.6, 1e-9);
  Problem problem = testing::plain_problem(system({.alpha = 0}), d);
  int ends = 0;
  for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
    const auto& face = d.connectivity.boundary_faces[b];
    const auto& cell = d.mesh.cells[index(face.cell)];
    const bool is_end = std::ranges::all_of(face_vertices.at(index(face.face)), [&](std::size_t corner) {
      const Point& x = d.mesh.vertices[index(cell.at(corner))];
      return x[2] > height - rounding && std::hypot(x[0], x[1]) < shield + rounding;
    });
    if (!is_end) continue;
    problem.boundary[b] = problem.system.find_boundary("absorbing");
    ++ends;
  }
  EXPECT_EQ(ends, 2);
  problem.element_terms = pml_terms(problem, d, elements, 0.1, layer);
  problem.face_terms = pml_flux_terms(problem, d, elements);
  EXPECT_LT(relative_growth(d, problem), 1e-13);
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
