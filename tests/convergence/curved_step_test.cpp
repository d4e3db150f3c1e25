#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/maxwell.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/time/runge_kutta.hpp"
#include "dg/time/spectrum.hpp"
#include "dg/time/stable_step.hpp"
#include "tests/convergence/ball_mesh.hpp"
#include "tests/support/curved_mesh.hpp"

/// The step of curved elements, from their metric at points, against all eigenvalues of small problems.
namespace maxwell_dg::dg {
namespace {

/// The largest step of each method without growth, over the one that is taken.
std::vector<double> margins(const Mesh& mesh, int N, double alpha) {
  const Discretization d(mesh, N);
  Problem problem{.system = maxwell::system({.alpha = alpha}), .parameters = {}, .boundary = {}};
  for (const auto& parameter : problem.system.parameters)
    problem.parameters.emplace_back(d.K(), parameter.default_value);
  problem.boundary.assign(d.connectivity.boundary_faces.size(), problem.system.find_boundary("pec"));
  const DenseSpectrum spectrum = dense_spectrum(ReferenceOperator(d, problem));
  std::vector<double> result;
  for (const RungeKutta* method : runge_kutta_methods()) {
    result.push_back(largest_stable_step(spectrum.eigenvalues, *method) / stable_step(d, problem, *method));
  }
  return result;
}

Mesh bent_cube(double by, unsigned seed, int order) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {1, 1, 1}});
  curve(mesh, order, testing::waves(by, seed));
  return mesh;
}

/// The step is stable, and not much more cautious than that of straight elements, whose margins these are.
void expect_like_straight(const Mesh& bent, const std::vector<double>& usual, int N, double alpha,
                          const std::string& name) {
  const std::vector<double> seen = margins(bent, N, alpha);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::string what = name + ", order " + std::to_string(N) + ", flux " + std::to_string(alpha) + ", method " +
                             runge_kutta_methods()[i]->name;
    ::testing::Test::RecordProperty(what, std::to_string(seen[i]) + " straight " + std::to_string(usual[i]));
    EXPECT_GE(seen[i], 1.0) << what;
    EXPECT_LE(seen[i], 1.5 * usual[i]) << what;
  }
}

TEST(CurvedStep, is_stable_and_hardly_shorter_than_that_of_straight_elements) {
  for (const double alpha : {0.0, 1.0}) {
    for (const int N : {1, 2}) {
      const std::vector<double> usual = margins(bent_cube(0, 1, N + 1), N, alpha);
      for (const double by : {0.03, 0.08}) {
        for (unsigned seed = 1; seed <= 3; ++seed) {
          expect_like_straight(bent_cube(by, seed, N + 1), usual, N, alpha, "bent by " + std::to_string(by));
        }
      }
    }
    expect_like_straight(make_round_ball(0, 2), margins(make_ball(0), 1, alpha), 1, alpha, "ball");
  }
  expect_like_straight(bent_cube(0.08, 1, 4), margins(bent_cube(0, 1, 4), 3, 1.0), 3, 1.0, "bent");
}

}  // namespace
}  // namespace maxwell_dg::dg
