#include <algorithm>
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
#include "dg/mesh/curved/folded_cells.hpp"
#include "dg/time/spectrum.hpp"
#include "tests/support/named_faces.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/round_layer.hpp"

/// Eigenvalues of small problems with a PML of curved elements on all sides that are no walls.
namespace maxwell_dg::dg::maxwell {
namespace {

using testing::PartOfBall;

struct RoundPmlCase {
  testing::RoundLayerShape shape;
  int N = 1;
  double flux{};
  std::optional<double> reflection{};
  double sigma = 0;           ///< everywhere
  std::vector<Pole> poles{};  ///< in the PML
};

/// The largest real part of an eigenvalue, over the largest modulus.
double growth_of(const Discretization& d, const Problem& problem) {
  double growth = -1e300, largest = 0;
  for (const std::complex<double>& value : all_eigenvalues(d, problem)) {
    growth = std::max(growth, value.real());
    largest = std::max(largest, std::abs(value));
  }
  return growth / largest;
}

double growth_in(const RoundPmlCase& c) {
  const testing::RoundLayer round = testing::round_layer(c.shape);
  EXPECT_TRUE(folded_cells(round.mesh).empty());
  const Discretization d(round.mesh, c.N);
  Problem problem = testing::plain_problem(system({.alpha = c.flux}), d);
  std::ranges::fill(problem.parameters[2], c.sigma);
  const PmlLayer layer(d, round.layer, round.thickness, c.reflection);
  problem.element_terms = pml_terms(problem, d, round.layer, 0.1, layer, {{.poles = c.poles, .elements = round.layer}});
  problem.face_terms = pml_flux_terms(problem, d, round.layer);
  EXPECT_EQ(problem.element_terms.at(0).elements.size(), round.layer.size());
  return growth_of(d, problem);
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

/// A guide from the core outwards through the shell, around the z axis, without thickness of its metal; beyond it the
/// PML. It ends in an absorbing face.
class WithFeed {
 public:
  WithFeed(double uneven, int N, double flux) : d_(mesh(uneven), N), problem_(make_problem(flux)) {}
  [[nodiscard]] double growth() const { return growth_of(d_, problem_); }
  [[nodiscard]] std::size_t elements_of_pml() const { return problem_.element_terms.at(0).elements.size(); }
  [[nodiscard]] long absorbing_faces() const {
    return std::ranges::count(problem_.boundary, problem_.system.find_boundary("absorbing"));
  }

 private:
  static constexpr double in_metal = 1e-9, inner = 1, outer = 1.6;

  static bool is_in_feed(const Point& x) { return x[0] + x[1] < x[2]; }

  static Mesh mesh(double uneven) {
    Mesh made = testing::round_layer({.divisions = 2, .uneven = uneven}).mesh;
    maxwell_dg::testing::name_faces(made, "shield", [](const Point& x) {
      return std::abs(x[0] + x[1] - x[2]) < in_metal && length(x) > inner - 0.1;
    });
    made.walls = {true};
    prepare(made, "ball with a feed", Orientation::any);
    return made;
  }

  Problem make_problem(double flux) const {
    Problem problem = testing::plain_problem(system({.alpha = flux}), d_);
    const auto radius = [&](std::int32_t v) { return length(d_.mesh.vertices[index(v)]); };
    const auto is_beyond_core = [&](std::int32_t v) { return radius(v) > inner + 0.1; };
    std::vector<std::int32_t> layer;
    for (std::size_t k = 0; k < d_.K(); ++k) {
      const auto& cell = d_.mesh.cells[k];
      if (std::ranges::any_of(cell, is_beyond_core) && !is_in_feed(centroid(d_.mesh, cell))) {
        layer.push_back(static_cast<std::int32_t>(k));
      }
    }
    for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
      const auto& [cell, face, _, behind] = d_.connectivity.boundary_faces[b];
      const auto& corners = d_.mesh.cells[index(cell)];
      const bool is_outer = std::ranges::all_of(face_vertices.at(index(face)), [&, &of = corners](std::size_t corner) {
        return radius(of.at(corner)) > outer - in_metal;
      });
      if (is_outer && is_in_feed(centroid(d_.mesh, corners))) {
        problem.boundary[b] = problem.system.find_boundary("absorbing");
      }
    }
    const PmlLayer pml(d_, layer, outer - inner, 1e-8);
    problem.element_terms = pml_terms(problem, d_, layer, 0.1, pml);
    problem.face_terms = pml_flux_terms(problem, d_, layer);
    return problem;
  }

  Discretization d_;
  Problem problem_;
};

TEST(RoundPml, lets_no_mode_grow_around_a_feed) {
  for (const double uneven : {0.0, 0.03}) {
    for (const double flux : {0.0, 0.5, 1.0}) {
      const WithFeed fed(uneven, 1, flux);
      EXPECT_EQ(fed.elements_of_pml(), 9);
      EXPECT_EQ(fed.absorbing_faces(), 1);
      EXPECT_LT(fed.growth(), 1e-13) << flux << ' ' << uneven;
    }
  }
  EXPECT_LT(WithFeed(0.03, 2, 0).growth(), 1e-13);
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
