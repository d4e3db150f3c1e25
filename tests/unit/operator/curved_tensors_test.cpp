#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/lowering/varying_media.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/medium.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/time/runge_kutta.hpp"
#include "dg/time/spectrum.hpp"
#include "dg/time/stable_step.hpp"
#include "tests/support/all_terms.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/energy_rate.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/varying_media.hpp"

/// Curved elements whose media are tensors.
namespace maxwell_dg::dg {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;
using testing::energy_rate;
using testing::random_values;
using testing::relative_difference;
using testing::rhs_of;

Mesh wavy_cube(int order = 3) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {1, 1, 1}});
  curve(mesh, order, testing::waves(0.06));
  return mesh;
}

/// Axes turned anyhow, and eigenvalues of up to 1:80.
Matrix3d steep_tensor(std::mt19937& random) {
  std::uniform_real_distribution<double> value(0.0, 1.0);
  const Vector3d axis(value(random) - 0.5, value(random) - 0.5, value(random) + 0.1);
  const Matrix3d turn = Eigen::AngleAxisd(3 * value(random), axis.normalized()).toRotationMatrix();
  const Vector3d eigenvalues(std::pow(80, value(random)), std::pow(80, value(random)), 1);
  return turn * eigenvalues.asDiagonal() * turn.transpose();
}

/// Tensors that jump from element to element; one condition everywhere. Losses are integrated where they must be.
Problem steep_problem(const System& system, const Discretization& d, const std::string& boundary, double sigma) {
  Problem problem{.system = system};
  problem.parameters.assign(system.parameters.size(), std::vector<double>(d.K()));
  std::mt19937 random(5);
  for (std::size_t k = 0; k < d.K(); ++k) {
    const Matrix3d epsilon = steep_tensor(random), mu = steep_tensor(random);
    const std::vector<double> values = maxwell::anisotropic_parameters(epsilon, mu, sigma * static_cast<double>(k % 3));
    for (std::size_t p = 0; p < values.size(); ++p) problem.parameters[p][k] = values[p];
  }
  problem.boundary.assign(d.connectivity.boundary_faces.size(), system.find_boundary(boundary));
  integrate_losses(problem, d);
  return problem;
}

System anisotropic(double alpha) {
  return maxwell::system({.alpha = alpha, .impedances = {0.3}, .anisotropic = true});
}

TEST(CurvedTensors, in_elements_that_are_straight_are_the_affine_operator_with_losses_and_all_terms) {
  const Mesh straight = testing::random_mesh(20);
  for (const int N : {1, 2, 4}) {
    const Discretization affine(straight, N);
    const Discretization bent(testing::straight_as_curved(straight, 3, [](std::size_t k) { return k % 3 > 0; }), N);
    Problem problem = testing::random_anisotropic_problem(0.7, affine);
    testing::add_linear_terms(problem, affine);
    Problem on_curved = problem;
    integrate_losses(on_curved, bent);
    ASSERT_EQ(on_curved.element_terms.size(), problem.element_terms.size() + 1);
    const ReferenceOperator expected(affine, problem), op(bent, on_curved);
    const std::vector<double> q = random_values(op.size());
    EXPECT_LT(relative_difference(rhs_of(op, q), rhs_of(expected, q)), 1e-11) << "order " << N;
    EXPECT_LT(relative_difference(op.energies(q), expected.energies(q)), 1e-13) << "order " << N;
  }
}

TEST(CurvedTensors, that_are_multiples_of_one_are_scalars) {
  const Discretization d(testing::half_curved_cube(3), 2);
  Problem scalars = testing::random_problem(maxwell::system({.alpha = 0.7, .impedances = {0.3}}), d);
  Problem tensors{.system = anisotropic(0.7), .parameters = {}, .boundary = scalars.boundary};
  tensors.parameters.assign(tensors.system.parameters.size(), std::vector<double>(d.K()));
  std::ranges::fill(scalars.parameters[2], 0.0);  // a constant loss acts at nodes, one of a tensor at points
  for (std::size_t k = 0; k < d.K(); ++k) {
    const std::vector<double> values = maxwell::anisotropic_parameters(
        scalars.parameters[0][k] * Matrix3d::Identity(), scalars.parameters[1][k] * Matrix3d::Identity(), 0);
    for (std::size_t p = 0; p < values.size(); ++p) tensors.parameters[p][k] = values[p];
  }
  const ReferenceOperator expected(d, scalars), op(d, tensors);
  const std::vector<double> q = random_values(op.size());
  EXPECT_LT(relative_difference(rhs_of(op, q), rhs_of(expected, q)), 1e-12);
  EXPECT_LT(relative_difference(op.energies(q), expected.energies(q)), 1e-13);
}

TEST(CurvedTensors, conserve_energy_with_the_central_flux_and_lose_some_with_the_upwind_flux) {
  for (const int N : {1, 2, 4}) {
    for (const Mesh& mesh : {wavy_cube(), testing::half_curved_cube(2)}) {
      const Discretization d(mesh, N);
      for (const char* boundary : {"pec", "pmc"}) {
        const auto rate = [&](double alpha) {
          return energy_rate(ReferenceOperator(d, steep_problem(anisotropic(alpha), d, boundary, 0)));
        };
        EXPECT_LT(std::abs(rate(0)), 1e-13) << boundary << ", order " << N;
        EXPECT_LT(rate(1), -1e-4) << boundary << ", order " << N;
      }
    }
  }
}

TEST(CurvedTensors, have_no_growing_mode_with_any_flux_and_losses) {
  struct Case {
    double alpha, sigma;
    std::string boundary;
  };
  for (const int N : {1, 2}) {
    const Discretization d(wavy_cube(), N);
    for (const auto& [alpha, sigma, boundary] :
         {Case{0.0, 0.0, "pec"}, Case{0.0, 30.0, "absorbing"}, Case{0.4, 0.5, "impedance_0"}, Case{1.0, 0.5, "pec"}}) {
      const DenseSpectrum spectrum =
          dense_spectrum(ReferenceOperator(d, steep_problem(anisotropic(alpha), d, boundary, sigma)));
      double largest = 0;
      for (const std::complex<double>& value : spectrum.eigenvalues) largest = std::max(largest, std::abs(value));
      EXPECT_LT(spectrum.growth, 1e-13 * largest)
          << boundary << ", order " << N << ", flux " << alpha << ", sigma " << sigma;
    }
  }
}

TEST(CurvedTensors, that_vary_within_curved_and_straight_elements_conserve_energy_and_have_no_growing_mode) {
  const Mesh straight = testing::straight_as_curved(make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {1, 1, 1}}),
                                                    2, [](std::size_t) { return true; });
  for (const int N : {1, 2}) {
    for (const Mesh& mesh : {wavy_cube(), straight}) {
      const Discretization d(mesh, N);
      for (const double alpha : {0.0, 1.0}) {
        for (const double sigma : {0.0, 30.0}) {
          Problem problem = steep_problem(anisotropic(alpha), d, "pec", 0);
          const auto seed = static_cast<unsigned>(sigma) + 7 * static_cast<unsigned>(N);
          testing::vary_within(problem, d, testing::random_smooth_tensors(seed, sigma));
          const ReferenceOperator op(d, problem);
          const std::string what = "order " + std::to_string(N) + ", flux " + std::to_string(alpha);
          if (alpha == 0 && sigma == 0) {
            EXPECT_LT(std::abs(energy_rate(op)), 1e-13) << what;
          } else {
            EXPECT_LT(energy_rate(op), -1e-4) << what;
          }
          const DenseSpectrum spectrum = dense_spectrum(op);
          double largest = 0;
          for (const std::complex<double>& value : spectrum.eigenvalues) largest = std::max(largest, std::abs(value));
          EXPECT_LT(spectrum.growth, 1e-13 * largest) << what;
        }
      }
    }
  }
}

TEST(CurvedTensors, that_vary_and_are_multiples_of_one_are_scalars_that_vary) {
  const Discretization d(testing::half_curved_cube(3), 2);
  Problem scalars = testing::random_problem(maxwell::system({.alpha = 0.7, .impedances = {0.3}}), d);
  Problem tensors{.system = anisotropic(0.7), .parameters = {}, .boundary = scalars.boundary};
  tensors.parameters.assign(tensors.system.parameters.size(), std::vector<double>(d.K()));
  const auto medium = [](const Point& x) { return std::vector{1 + x[0] * x[1], 2 - x[2], 3 * x[1]}; };
  testing::vary_within(scalars, d, medium);
  testing::vary_within(tensors, d, [&](const Point& x) {
    const std::vector<double> here = medium(x);
    return maxwell::anisotropic_parameters(here[0] * Matrix3d::Identity(), here[1] * Matrix3d::Identity(), here[2]);
  });
  const ReferenceOperator expected(d, scalars), op(d, tensors);
  const std::vector<double> q = random_values(op.size());
  EXPECT_LT(relative_difference(rhs_of(op, q), rhs_of(expected, q)), 1e-12);
  EXPECT_LT(relative_difference(op.energies(q), expected.energies(q)), 1e-13);
}

TEST(CurvedTensors, that_vary_count_in_the_stable_step_by_their_fastest_point) {
  const Discretization d(wavy_cube(), 2);
  const auto step_with = [&](double epsilon_in_a_corner) {
    Problem problem = steep_problem(anisotropic(1), d, "pec", 0);
    testing::vary_within(problem, d, [&](const Point& x) {
      const Vector3d epsilon(x[0] < 0.1 ? epsilon_in_a_corner : 1.0, 2, 3);
      return maxwell::anisotropic_parameters(epsilon.asDiagonal(), Matrix3d::Identity(), 0);
    });
    return stable_step(d, problem, lsrk54());
  };
  EXPECT_NEAR(step_with(0.25) / step_with(1), 0.5, 1e-12);
}

TEST(CurvedTensors, without_the_term_of_their_losses_are_a_mistake_of_the_program) {
  const Discretization d(wavy_cube(), 1);
  Problem problem = steep_problem(anisotropic(1), d, "pec", 0.5);
  ASSERT_EQ(problem.element_terms.size(), 1U);
  problem.element_terms.clear();
  EXPECT_THROW(ReferenceOperator(d, problem), std::logic_error);
}

TEST(CurvedTensors, that_are_not_those_of_the_energy_are_refused_with_what_to_do) {
  const Discretization d(wavy_cube(), 1);
  Problem problem = steep_problem(anisotropic(1), d, "pec", 0);
  for (System::Energy& energy : problem.system.energies) std::swap(energy.weights[0], energy.weights[1]);
  try {
    const ReferenceOperator op(d, problem);
    FAIL() << "not refused";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("use a mesh of straight elements"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
