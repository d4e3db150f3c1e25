#include "dg/maxwell/pml.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/pml_flux.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/time/spectrum.hpp"
#include "tests/support/all_terms.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/relative_growth.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

/// A corner of cubes of length 1, of which the first is free and the others are a PML one element across, towards the
/// far ends. Vertices of the PML are moved at random, but stay on the outer boundary.
struct Corner {
  std::array<int, 3> cells{2, 2, 1};
  double moved = 0.2;
  unsigned seed = 1;
  bool round = false;  ///< about the z axis

  [[nodiscard]] Mesh mesh() const {
    const Point far{1.0 * cells[0], 1.0 * cells[1], 1.0 * cells[2]};
    Mesh mesh = make_box({.min = {0, 0, 0}, .max = far, .cells = cells});
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> shift(-moved, moved);
    for (Point& x : mesh.vertices) {
      const double largest = *std::ranges::max_element(x);
      for (std::size_t i = 0; i < 3; ++i) {
        if (largest > 1 && x.at(i) > 0 && x.at(i) < far.at(i)) x.at(i) += shift(random);
      }
      const double size = std::hypot(x[0], x[1]), by = round && size > 0 ? std::max(x[0], x[1]) / size : 1;
      for (const std::size_t i : {0U, 1U}) x.at(i) *= by;
    }
    return mesh;
  }
};

struct Case {
  Corner corner;
  int N;
  double flux, alpha;
  double reflection = 1e-8;
  double sigma = 0;           ///< everywhere
  std::vector<Pole> poles{};  ///< the same
};

std::vector<std::int32_t> layer_of(const Corner& corner, const Mesh& mesh) {
  std::vector<std::int32_t> layer;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    const auto is_far = [&](std::int32_t v) {
      const Point& x = mesh.vertices[index(v)];
      return (corner.round ? std::hypot(x[0], x[1]) : *std::ranges::max_element(x)) > 1.3;
    };
    if (std::ranges::any_of(mesh.cells[k], is_far)) layer.push_back(static_cast<std::int32_t>(k));
  }
  return layer;
}

double growth(const Case& c) {
  const Discretization d(c.corner.mesh(), c.N);
  Problem problem = testing::plain_problem(system({.alpha = c.flux}), d);
  const std::vector<std::int32_t> layer = layer_of(c.corner, d.mesh);
  const PmlLayer geometry(d, layer, 1.0, c.reflection);
  std::ranges::fill(problem.parameters[2], c.sigma);
  DispersiveMedium elsewhere{.poles = c.poles, .elements = {}};
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(d.K()); ++k) {
    if (!std::ranges::binary_search(layer, k)) elsewhere.elements.push_back(k);
  }
  problem.element_terms = pml_terms(problem, d, layer, c.alpha, geometry, {{.poles = c.poles, .elements = layer}});
  for (ElementTerm& term : dispersion_terms(problem.system, {elsewhere})) problem.element_terms.push_back(term);
  EXPECT_FALSE(problem.element_terms.empty());
  problem.face_terms = pml_flux_terms(problem, d, layer);
  return testing::relative_growth(d, problem);
}

TEST(PmlTerms, let_no_mode_grow) {
  for (const double flux : {0.0, 1.0}) {
    EXPECT_LT(growth({{.cells = {2, 1, 1}}, 1, flux, 0.1}), 1e-13) << flux;
    EXPECT_LT(growth({{.cells = {2, 1, 1}}, 2, flux, 0.1}), 1e-13) << flux;
    EXPECT_LT(growth({{.cells = {2, 2, 1}}, 1, flux, 0.1}), 1e-13) << flux;
  }
}

TEST(PmlTerms, let_no_mode_grow_where_they_are_round) {
  for (const double flux : {0.0, 1.0}) EXPECT_LT(growth({{.round = true}, 1, flux, 0.1}), 1e-13) << flux;
}

TEST(PmlTerms, let_no_mode_grow_where_they_damp_strongly_in_elements_that_the_displacement_would_shrink) {
  EXPECT_LT(growth({{.moved = 0.3, .seed = 2}, 1, 1, 0.1, 1e-16}), 1e-13);
}

/// Else fields grow.
TEST(PmlTerms, stretch_in_no_direction_backwards_at_any_point_of_a_curved_element) {
  const Corner corner{.cells = {2, 2, 1}, .moved = 0.25, .seed = 3, .round = true};
  const auto all = [](std::size_t) { return true; };
  const Discretization d(testing::straight_as_curved(corner.mesh(), 2, all), 3);
  const Problem problem = testing::plain_problem(system({.alpha = 1}), d);
  const std::vector<std::int32_t> layer = layer_of(corner, d.mesh);
  const PmlMotion sheared{.displacement =
                              [](const Point& x) {
                                return Point{x[0] * x[0], 3 * x[0] * x[1], 0};
                              },
                          .gradient =
                              [](const Point& x) {
                                return std::array<Point, 3>{{{2 * x[0], 0, 0}, {3 * x[1], 3 * x[0], 0}, {0, 0, 0}}};
                              }};
  const auto points = static_cast<std::size_t>(d.curved.value().quadrature.volume_points());
  std::size_t elements = 0;
  for (const ElementTerm& term : pml_terms(problem, d, layer, 0.1, sheared)) {
    ASSERT_EQ(term.profiles.size(), 9U) << term.name;
    for (std::size_t k = 0; k < term.elements.size(); ++k, ++elements) {
      for (std::size_t point = 0; point < points; ++point) {
        Eigen::Matrix3d G;
        for (int i = 0; i < 9; ++i) G(i / 3, i % 3) = term.profiles[index(i)][k * points + point];
        const Eigen::Vector3d values =
            Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(0.5 * (G + G.transpose())).eigenvalues();
        EXPECT_GT(values[2], 0);
        EXPECT_GE(values[0], -1e-10 * values[2]) << "element " << term.elements[k] << ", point " << point;
      }
    }
  }
  EXPECT_EQ(elements, layer.size());
  EXPECT_GT(elements, 0U);
}

TEST(PmlTerms, of_curved_elements_need_the_gradient) {
  const Discretization d(testing::straight_as_curved(Corner{}.mesh(), 2, [](std::size_t) { return true; }), 1);
  const Problem problem = testing::plain_problem(system({.alpha = 1}), d);
  try {
    static_cast<void>(pml_terms(problem, d, {0}, 0.1, {.displacement = [](const Point& x) { return x; }}));
    FAIL() << "no error";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "PmlMotion: curved elements need the gradient of the displacement");
  }
}

/// The fields (E, H) at frequency p due to what is added to their rates.
Eigen::VectorXd response(const Eigen::MatrixXd& rates, double p, const Eigen::VectorXd& added) {
  Eigen::VectorXd right = Eigen::VectorXd::Zero(rates.rows());
  right.head(added.size()) = added;
  const Eigen::MatrixXd left = p * Eigen::MatrixXd::Identity(rates.rows(), rates.rows()) - rates;
  return left.partialPivLu().solve(right).head(added.size());
}

/// Both vector fields at all nodes, multiplied by a matrix of their element.
Eigen::VectorXd turned(const Discretization& d, const std::vector<Eigen::Matrix3d>& by, const Eigen::VectorXd& q) {
  Eigen::VectorXd result(q.size());
  const Eigen::Index Np = d.Np();
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (Eigen::Index field = 0; field < 2; ++field) {
      const Eigen::Index first = (static_cast<Eigen::Index>(k) * 6 + 3 * field) * Np;
      const Eigen::Map<const Eigen::MatrixXd> from(q.data() + first, Np, 3);
      Eigen::Map<Eigen::MatrixXd>(result.data() + first, Np, 3) = from * by[k].transpose();
    }
  }
  return result;
}

/// At a positive p the moved mesh is one of real elements: the central flux gives the same fields there, but for what
/// becomes of their components. So the PML is the change of coordinates, in any element.
TEST(PmlTerms, are_the_equations_on_the_moved_mesh) {
  const Mesh mesh = Corner{.cells = {2, 1, 1}}.mesh();
  const Discretization d(mesh, 1);
  const double p = 1.7, alpha = 0.2;
  const auto d_of = [](const Point& x) {  // shears, and shrinks nothing
    return Point{3 * x[0] + 0.8 * x[1] + 0.2 * x[0] * x[1], 0.5 * x[0] + 2 * x[1] + 0.1 * x[0] * x[2],
                 x[2] + 0.2 * x[1] * x[2]};
  };
  Problem problem = testing::plain_problem(system({.alpha = 0}), d);
  std::vector<std::int32_t> all(d.K());
  std::iota(all.begin(), all.end(), 0);
  problem.element_terms = pml_terms(problem, d, all, alpha, {.displacement = d_of});
  Mesh moved_mesh = mesh;
  for (Point& x : moved_mesh.vertices) {
    const Point by = d_of(x);
    for (std::size_t i = 0; i < 3; ++i) x.at(i) += by.at(i) / (p + alpha);
  }
  const Discretization moved(moved_mesh, 1);
  std::vector<Eigen::Matrix3d> contravariant, covariant;
  for (std::size_t k = 0; k < d.K(); ++k) {
    Eigen::Matrix3d from, to;  // edges from the first corner
    for (int e = 0; e < 3; ++e) {
      for (int i = 0; i < 3; ++i) {
        const auto& cell = mesh.cells[k];
        const auto corner_of = [&](const Mesh& m, int v) { return m.vertices[index(cell.at(index(v)))].at(index(i)); };
        from(i, e) = corner_of(mesh, e + 1) - corner_of(mesh, 0);
        to(i, e) = corner_of(moved_mesh, e + 1) - corner_of(moved_mesh, 0);
      }
    }
    const Eigen::Matrix3d F = to * from.inverse();
    contravariant.push_back(F / F.determinant());
    covariant.push_back(F.inverse().transpose());
  }
  const std::vector<double> values = testing::random_values(d.K() * index(6 * d.Np()));
  const Eigen::Map<const Eigen::VectorXd> added(values.data(), static_cast<Eigen::Index>(values.size()));
  const Eigen::VectorXd q = response(dense_matrix(d, problem), p, added);
  const Problem there = testing::plain_problem(system({.alpha = 0}), moved);
  const Eigen::VectorXd wanted = response(dense_matrix(moved, there), p, turned(d, contravariant, added));
  EXPECT_LT((turned(d, covariant, q) - wanted).norm(), 1e-11 * wanted.norm());
}

/// Where lengths are stretched along a radius, and across it by less, fewer auxiliary variables do.
TEST(PmlTerms, of_a_radius_are_those_of_any_gradient) {
  const auto all = [](std::size_t) { return true; };
  const Discretization d(testing::straight_as_curved(Corner{.cells = {1, 1, 1}}.mesh(), 2, all), 1);
  std::vector<std::int32_t> elements(d.K());
  std::iota(elements.begin(), elements.end(), 0);
  const PmlMotion radial = testing::radial_motion({-1, -2, -1}, 1.3, 0.7);
  constexpr double little = 1e-7;
  const PmlMotion skewed{.displacement = radial.displacement, .gradient = [&](const Point& x) {
                           std::array<Point, 3> G = radial.gradient(x);
                           G[0][1] += little;
                           G[1][0] -= little;
                           return G;
                         }};
  const std::vector<double> values = testing::random_values(d.K() * index(6 * d.Np()));
  const Eigen::Map<const Eigen::VectorXd> added(values.data(), static_cast<Eigen::Index>(values.size()));
  const auto fields = [&](const PmlMotion& motion, double alpha, double sigma, std::size_t variables) {
    Problem problem = testing::plain_problem(system({.alpha = 0}), d);
    std::ranges::fill(problem.parameters[2], sigma);
    problem.element_terms = pml_terms(problem, d, elements, alpha, motion);
    EXPECT_EQ(problem.element_terms.size(), 1U);
    EXPECT_EQ(problem.element_terms[0].auxiliary.size(), variables);
    return response(dense_matrix(d, problem), 1.7, added);
  };
  struct Variables {
    double alpha, sigma;
    std::size_t of_radius, of_any;
  };
  for (const auto& [alpha, sigma, of_radius, of_any] :
       {Variables{0.2, 0, 8, 12}, Variables{0, 0, 2, 6}, Variables{0, 0.5, 5, 9}, Variables{0.2, 0.5, 8, 12}}) {
    const Eigen::VectorXd wanted = fields(skewed, alpha, sigma, of_any);
    EXPECT_LT((fields(radial, alpha, sigma, of_radius) - wanted).norm(), 10 * little * wanted.norm()) << alpha;
  }
}

TEST(PmlTerms, let_no_mode_grow_in_media_that_go_on_into_them) {
  using Model = Pole::Model;
  for (const Pole& pole : {Pole{Model::debye, 2.0, 1.5}, {Model::drude, 3.0, 0.2}, {Model::lorentz, 1.5, 0.3, 2.0}}) {
    EXPECT_LT(growth({.corner = {.cells = {2, 1, 1}}, .N = 1, .flux = 1, .alpha = 0.1, .sigma = 0.3, .poles = {pole}}),
              1e-13);
  }
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
