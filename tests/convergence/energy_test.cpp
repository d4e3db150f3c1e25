#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/medium.hpp"
#include "tests/convergence/test_run.hpp"
#include "tests/support/random_problem.hpp"

namespace maxwell_dg::dg {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Materials that jump across many faces, by factors of up to nine, in no regular way.
std::vector<double> patchwork(const Point& centroid, std::size_t count) {
  std::vector<double> values(count, 0.0);
  for (std::size_t p = 0; p < 2; ++p) {
    const double s = std::sin(40.0 * centroid[0] + 23.0 * centroid[1] + 31.0 * centroid[2] + static_cast<double>(p));
    values[p] = std::pow(3.0, s);
  }
  return values;
}

TestRun patchwork_run(const System& system, int N, const std::string& boundary) {
  const std::size_t parameters = system.parameters.size();
  return TestRun({.mesh = make_box({.min = {0, 0, 0}, .max = {1, 1.2, 0.9}, .cells = {2, 2, 2}}),
                  .N = N,
                  .system = system,
                  .boundary = boundary,
                  .materials = [parameters](const Point& c) { return patchwork(c, parameters); }});
}

/// Tensors whose eigenvalues and axes jump across many faces.
TestRun anisotropic_run(double alpha, int N, const std::string& boundary) {
  const auto tensor = [](const Point& c, double phase) {
    const auto number = [&](double shift) { return std::sin(40.0 * c[0] + 23.0 * c[1] + 31.0 * c[2] + phase + shift); };
    const Eigen::Vector3d axis(1, number(1), number(2)),
        eigenvalues(std::pow(3, number(3)), std::pow(3, number(4)), std::pow(3, number(5)));
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(3 * number(6), axis.normalized()).toRotationMatrix();
    return Eigen::Matrix3d(turn * eigenvalues.asDiagonal() * turn.transpose());
  };
  return TestRun(
      {.mesh = make_box({.min = {0, 0, 0}, .max = {1, 1.2, 0.9}, .cells = {2, 2, 2}}),
       .N = N,
       .system = maxwell::system({.alpha = alpha, .impedances = {0.2}, .anisotropic = true}),
       .boundary = boundary,
       .materials = [=](const Point& c) { return maxwell::anisotropic_parameters(tensor(c, 0), tensor(c, 7), 0); }});
}

/// |Q'M rhs(Q)| / (lambda Q'MQ) of random fields Q; lambda, the spectral radius, by power iteration in the energy norm
/// (for the skew operators here it approaches from below, which errs on the strict side).
double energy_rate(TestRun& run) {
  const ReferenceOperator reference(run.discretization(), run.op().problem());
  const auto weighted = [&](std::span<const double> q) {
    std::vector<double> Mq(q.size());
    reference.apply_energy_matrix(q, Mq);
    return Mq;
  };
  const auto rhs = [&](const std::vector<double>& q) {
    run.op().set_state(q);
    std::vector<double> result(q.size());
    run.op().evaluate_rhs(0.0, result);
    return result;
  };

  std::vector<double> v = testing::random_values(run.op().dofs(), 7);
  double lambda = 0;
  for (int i = 0; i < 30; ++i) {
    const double size = std::sqrt(dot(v, weighted(v)));
    for (double& value : v) value /= size;
    v = rhs(v);
    lambda = std::max(lambda, std::sqrt(dot(v, weighted(v))));
  }
  const std::vector<double> q = testing::random_values(run.op().dofs());
  const std::vector<double> Mq = weighted(q);
  return std::abs(dot(Mq, rhs(q))) / (lambda * dot(Mq, q));
}

TEST(Energy, central_flux_is_neutral_across_material_jumps) {
  for (const int N : {1, 3, 6}) {
    for (const char* boundary : {"pec", "pmc"}) {
      auto run = patchwork_run(maxwell::system({.alpha = 0.0}), N, boundary);
      EXPECT_LT(energy_rate(run), 1e-13) << "order " << N << ", " << boundary;
    }
    for (const char* boundary : {"rigid", "pressure_release"}) {
      auto run = patchwork_run(acoustics::system({.alpha = 0.0}), N, boundary);
      EXPECT_LT(energy_rate(run), 1e-13) << "order " << N << ", " << boundary;
    }
  }
}

TEST(Energy, central_flux_is_neutral_across_jumps_of_tensors) {
  for (const int N : {1, 3}) {
    for (const char* boundary : {"pec", "pmc"}) {
      auto run = anisotropic_run(0.0, N, boundary);
      EXPECT_LT(energy_rate(run), 1e-13) << "order " << N << ", " << boundary;
    }
  }
}

TEST(Energy, upwind_flux_takes_energy_out_of_random_fields) {
  auto run = patchwork_run(maxwell::system({.alpha = 1.0}), 3, "pec");
  EXPECT_GT(energy_rate(run), 1e-4) << "so the test above can fail";
}

void expect_energy_never_grows(TestRun run, const std::string& what) {
  run.op().set_state(testing::random_values(run.op().dofs()));
  const double dt = run.stable_step();
  double before = run.energy();
  for (int step = 0; step < 100; ++step) {
    run.advance(dt, dt);
    const double now = run.energy();
    ASSERT_LE(now, before * (1 + 1e-13)) << what << ", order " << run.discretization().N() << ", step " << step;
    before = now;
  }
}

TEST(Energy, upwind_energy_never_grows) {
  const System system = maxwell::system({.alpha = 1.0, .impedances = {0.2, 3.0}});
  for (const char* boundary : {"pec", "pmc", "absorbing"}) {
    for (const int N : {1, 2, 4}) expect_energy_never_grows(patchwork_run(system, N, boundary), boundary);
  }
}

TEST(Energy, upwind_energy_never_grows_in_anisotropic_media) {
  for (const char* boundary : {"pec", "absorbing", "impedance_0"}) {
    for (const int N : {1, 3}) expect_energy_never_grows(anisotropic_run(1.0, N, boundary), boundary);
  }
}

TEST(Energy, a_surface_of_some_impedance_takes_energy_with_central_and_upwind_flux) {
  for (const double alpha : {0.0, 1.0}) {
    const System system = maxwell::system({.alpha = alpha, .impedances = {0.2, 3.0}});
    for (const char* boundary : {"impedance_0", "impedance_1"}) {
      expect_energy_never_grows(patchwork_run(system, 2, boundary), boundary);
    }
  }
}

/// Share of the energy that a run with central flux loses in a fixed time.
double lost_energy(double share_of_stable_step) {
  auto run = patchwork_run(maxwell::system({.alpha = 0.0}), 3, "pec");
  run.op().set_state(testing::random_values(run.op().dofs()));
  const double before = run.energy();
  run.advance(10 * run.stable_step(), share_of_stable_step * run.stable_step());
  return std::abs(before - run.energy()) / before;
}

TEST(Energy, what_central_flux_loses_vanishes_with_the_step_at_the_integrators_order) {
  const double coarse = lost_energy(0.5), middle = lost_energy(0.25), fine = lost_energy(0.125);
  report_rate("energy", rate(middle, fine), fine);
  EXPECT_GT(rate(coarse, middle), 3.9) << coarse << ", " << middle;
  EXPECT_GT(rate(middle, fine), 3.9) << middle << ", " << fine;
  EXPECT_GT(coarse, 1e-9) << "nothing measured";
}

}  // namespace
}  // namespace maxwell_dg::dg
