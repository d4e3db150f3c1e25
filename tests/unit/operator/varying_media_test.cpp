#include "dg/lowering/varying_media.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dg/acoustics/acoustics.hpp"
#include "dg/lowering/power_terms.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/time/spectrum.hpp"
#include "dg/time/stable_step.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/energy_rate.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/varying_media.hpp"

namespace maxwell_dg::dg {
namespace {

using std::numbers::pi;
using testing::dot;
using testing::energy_rate;
using testing::relative_difference;
using testing::rhs_of;
using testing::vary_within;
using testing::waves;

Mesh cube(int cells) {
  return make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {cells, cells, cells}});
}
Mesh wavy_cube() {
  Mesh mesh = cube(1);
  curve(mesh, 3, waves(0.06));
  return mesh;
}

Problem uniform_problem(const System& system, const Discretization& d, const std::string& boundary) {
  Problem problem{.system = system};
  for (const auto& parameter : system.parameters) problem.parameters.emplace_back(d.K(), parameter.default_value);
  problem.boundary.assign(d.connectivity.boundary_faces.size(), system.find_boundary(boundary));
  return problem;
}

/// Up to 1:80 within the cube; without losses where `sigma` is 0.
std::vector<double> steep(const Point& x, double sigma) {
  return {std::pow(80.0, x[0] * x[1]), 1 + x[2] * x[2], sigma * (x[1] > 0.5 ? x[1] : 0.0)};
}

TEST(VaryingMedia, that_are_constant_are_the_constant_media) {
  const Mesh straight = testing::random_mesh(20);
  for (const int N : {1, 3}) {
    const Discretization d(testing::straight_as_curved(straight, 2, [](std::size_t k) { return k % 3 > 0; }), N);
    const Problem constant = [&] {
      Problem problem = uniform_problem(maxwell::system({.alpha = 0.7, .impedances = {0.3}}), d, "impedance_0");
      problem.parameters = {std::vector(d.K(), 3.0), std::vector(d.K(), 2.0), std::vector(d.K(), 0.4)};
      return problem;
    }();
    Problem varying = constant;
    vary_within(varying, d, [](const Point&) { return std::vector{3.0, 2.0, 0.4}; });
    ASSERT_EQ(varying.element_terms.size(), 1U) << "losses";
    const ReferenceOperator expected(d, constant), op(d, varying);
    const std::vector<double> q = testing::random_values(op.size());
    EXPECT_LT(relative_difference(rhs_of(op, q), rhs_of(expected, q)), 1e-12) << N;
    EXPECT_LT(relative_difference(op.energies(q), expected.energies(q)), 1e-13) << N;
  }
}

TEST(VaryingMedia, conserve_energy_with_the_central_flux) {
  for (const Mesh& mesh : {wavy_cube(), testing::half_curved_cube(2)}) {
    for (const int N : {1, 2, 4}) {
      const Discretization d(mesh, N);
      Problem problem = uniform_problem(maxwell::system({.alpha = 0.0}), d, "pec");
      vary_within(problem, d, [](const Point& x) { return steep(x, 0.0); });
      EXPECT_LT(std::abs(energy_rate(ReferenceOperator(d, problem))), 1e-13) << N;
      Problem sound = uniform_problem(acoustics::system({.alpha = 0.0}), d, "rigid");
      vary_within(sound, d, [](const Point& x) { return std::vector{1 + 5 * x[0], 2 - x[1]}; });
      EXPECT_LT(std::abs(energy_rate(ReferenceOperator(d, sound))), 1e-13) << N;
    }
  }
}

TEST(VaryingMedia, have_no_growing_mode_with_losses_in_a_part_of_an_element) {
  for (const int N : {1, 2}) {
    const Discretization d(wavy_cube(), N);
    for (const double alpha : {0.0, 0.4, 1.0}) {
      for (const double sigma : {0.0, 0.5, 30.0}) {
        Problem problem = uniform_problem(maxwell::system({.alpha = alpha}), d, "pec");
        vary_within(problem, d, [&](const Point& x) { return steep(x, sigma); });
        const DenseSpectrum spectrum = dense_spectrum(ReferenceOperator(d, problem));
        double largest = 0;
        for (const auto& value : spectrum.eigenvalues) largest = std::max(largest, std::abs(value));
        EXPECT_LT(spectrum.growth, 1e-13 * largest) << "order " << N << ", flux " << alpha << ", sigma " << sigma;
      }
    }
  }
}

TEST(VaryingMedia, lose_the_power_that_their_quadrature_gives) {
  const Discretization d(wavy_cube(), 2);
  Problem problem = uniform_problem(maxwell::system({.alpha = 0.0}), d, "pec");
  vary_within(problem, d, [](const Point& x) { return steep(x, 2.0); });
  const ReferenceOperator op(d, problem);
  // A constant field Ex has Ex(point) = 1 there: maps of order 3 at order 2 keep constants.
  std::vector<double> q(op.size(), 0.0);
  const auto Np = static_cast<std::size_t>(d.Np());
  for (std::size_t k = 0; k < d.K(); ++k) std::fill_n(q.begin() + static_cast<std::ptrdiff_t>(6 * k * Np), Np, 1.0);
  const std::vector<double> Mq = testing::energy_matrix(op, q);
  const CurvedGeometry& geometry = d.curved.value();
  double expected = 0;
  for (std::size_t i = 0; i < geometry.at_volume_points.size(); ++i) {
    expected += geometry.quadrature.volume.weights[i % geometry.quadrature.volume.size()] *
                std::abs(determinant(geometry.at_volume_points[i])) * steep(geometry.volume_positions[i], 2.0)[2];
  }
  Problem lossless = problem;
  std::ranges::fill(lossless.element_terms.back().added, 0.0);
  const std::vector<double> with = rhs_of(op, q), without = rhs_of(ReferenceOperator(d, lossless), q);
  EXPECT_NEAR(2 * (dot(Mq, without) - dot(Mq, with)), expected, 1e-12 * expected);
}

/// The lowest frequency of a cavity of length 1 with epsilon_r = 1 / (1 + x)^2, whose field along z depends on x alone:
/// E'' + w^2 E / (1 + x)^2 = 0, an equation of Euler and Cauchy. E = (1 + x)^(1/2) sin(nu ln(1 + x)), w^2 = nu^2 + 1/4,
/// and E(1) = 0 gives nu = pi / ln 2.
double error_of_frequency(int N, int cells, bool varies) {
  const Mesh mesh = testing::straight_as_curved(
      make_box({.min = {0, 0, 0}, .max = {1, 0.5, 0.5}, .cells = {cells, 1, 1}}), 2, [](std::size_t) { return true; });
  const Discretization d(mesh, N);
  Problem problem = uniform_problem(maxwell::system(), d, "pec");
  for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
    const Connectivity::BoundaryFace& face = d.connectivity.boundary_faces[b];
    const bool along_y = std::abs(d.geometry.faces[index(face.cell)][index(face.face)].ny) > 0.5;
    if (along_y) problem.boundary[b] = problem.system.find_boundary("pmc");
  }
  vary_within(problem, d, [](const Point& x) { return std::vector{1 / ((1 + x[0]) * (1 + x[0])), 1.0, 0.0}; });
  if (!varies) problem.varying = {};
  const double exact = std::sqrt(std::pow(pi / std::numbers::ln2, 2) + 0.25);
  double nearest = 1e9;
  for (const auto& value : dense_spectrum(ReferenceOperator(d, problem)).eigenvalues) {
    nearest = std::min(nearest, std::abs(value - std::complex<double>(0, exact)));
  }
  return nearest / exact;
}

TEST(VaryingMedia, have_frequencies_of_twice_the_order) {
  for (const int N : {2, 3}) {
    const double coarse = error_of_frequency(N, 1, true), fine = error_of_frequency(N, 2, true);
    EXPECT_GT(std::log2(coarse / fine), 2 * N - 0.4) << coarse << ", " << fine << ", order " << N;
    EXPECT_GT(error_of_frequency(N, 2, false), 10 * fine) << "of means over elements";
  }
}

TEST(VaryingMedia, count_in_the_stable_step_by_their_fastest_point) {
  const Discretization d(wavy_cube(), 2);
  Problem problem = uniform_problem(maxwell::system(), d, "pec");
  const double step = stable_step(d, problem, lsrk54());
  vary_within(problem, d, [](const Point& x) { return std::vector{x[0] < 0.1 ? 0.25 : 1.0, 1.0, 0.0}; });
  EXPECT_NEAR(stable_step(d, problem, lsrk54()) / step, 0.5, 1e-12);
}

TEST(VaryingMedia, of_a_system_without_an_energy_are_refused) {
  const Discretization d(wavy_cube(), 1);
  Problem problem = uniform_problem(maxwell::system(), d, "pec");
  problem.system.energies.clear();
  const LoweredSystem lowered = lower(problem.system);
  problem.varying = {.elements = {0}, .points = 1, .values = {}};
  try {
    const VaryingMedia media(lowered, problem, MaterialTable::make(lowered, problem.parameters, d.K()));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("use media that are constant in each element"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
