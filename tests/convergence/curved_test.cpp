#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apps/examples/analytic/cavities.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/injection.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/observe/harmonic_inversion.hpp"
#include "dg/symbolic/incident.hpp"
#include "dg/time/runge_kutta.hpp"
#include "dg/time/stable_step.hpp"
#include "tests/convergence/ball_mesh.hpp"
#include "tests/convergence/test_run.hpp"
#include "tests/support/curved_mesh.hpp"

namespace maxwell_dg::dg {
namespace {

maxwell::PlaneWave pulse() {
  return {
      .direction = {1, 2, -1},
      .polarization = {1, 0, 1},
      .waveform = {.kind = maxwell::Waveform::Kind::gaussian_pulse, .frequency = 0.7, .bandwidth = 0.8, .delay = 0.1}};
}

/// A body of any shape in vacuum, at whose surface the outside state is that of the plane wave.
System around_a_wave(double alpha) {
  System system = maxwell::system({.alpha = alpha});
  system.boundaries.front().outside = maxwell::fields(pulse());
  return system;
}

std::vector<double> exact_at(const Discretization& d, double t) {
  const std::vector<symbolic::Expr> wave = maxwell::fields(pulse());
  const auto Np = static_cast<std::size_t>(d.Np());
  std::vector<double> q(d.K() * 6 * Np);
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (std::size_t i = 0; i < Np; ++i) {
      const Point x = d.node(k, static_cast<int>(i));
      for (std::size_t f = 0; f < 6; ++f) q[(6 * k + f) * Np + i] = evaluate(wave[f], x, t);
    }
  }
  return q;
}

void advance(const ReferenceOperator& op, std::vector<double>& q, double duration, double largest_step) {
  const RungeKutta& method = lsrk54();
  const long steps = std::lround(std::ceil(duration / largest_step));
  const double dt = duration / static_cast<double>(steps);
  std::vector<double> sum(q.size(), 0.0), rhs(q.size());
  for (long step = 0; step < steps; ++step) {
    for (std::size_t s = 0; s < method.a.size(); ++s) {
      op.rhs(q, (static_cast<double>(step) + method.c[s]) * dt, rhs);
      for (std::size_t i = 0; i < q.size(); ++i) {
        sum[i] = method.a[s] * sum[i] + dt * rhs[i];
        q[i] += method.b[s] * sum[i];
      }
    }
  }
}

/// After some time, of a wave through a curved body whose cells shrink while its shape stays; half of them are straight
/// if `partly`.
double error_of_wave(int N, int order, int cells, double alpha, bool partly) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {cells, cells, cells}});
  const auto everywhere = testing::waves(0.06);
  curve(mesh, order, [&](const Point& x) {
    if (!partly) return everywhere(x);
    const double into = std::max(0.0, x[0] - 0.5);
    const Point moved = everywhere(x);
    return Point{x[0] + 2 * into * (moved[0] - x[0]), x[1] + 2 * into * (moved[1] - x[1]),
                 x[2] + 2 * into * (moved[2] - x[2])};
  });
  const Discretization d(std::move(mesh), N);
  Problem problem{.system = around_a_wave(alpha), .parameters = {}, .boundary = {}};
  for (const auto& parameter : problem.system.parameters)
    problem.parameters.emplace_back(d.K(), parameter.default_value);
  problem.boundary.assign(d.connectivity.boundary_faces.size(), 0);
  const ReferenceOperator op(d, problem);
  const double duration = 0.3;
  std::vector<double> q = exact_at(d, 0);
  advance(op, q, duration, 0.4 * stable_step(d, problem, lsrk54()));
  const std::vector<double> exact = exact_at(d, duration);
  std::ranges::transform(q, exact, q.begin(), std::minus());
  double energy = 0;
  for (const double part : op.energies(q)) energy += part;
  return std::sqrt(energy);
}

TEST(Curved, a_plane_wave_converges_with_one_order_more_than_the_fields) {
  for (const int N : {1, 2, 3}) {
    const double coarse = error_of_wave(N, N + 1, 2, 1.0, false), fine = error_of_wave(N, N + 1, 4, 1.0, false);
    report_rate("N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), N + 0.7) << "order " << N << ": errors " << coarse << " and " << fine;
  }
}

TEST(Curved, a_plane_wave_converges_with_the_order_of_the_fields_with_the_central_flux) {
  for (const int N : {1, 2, 3}) {
    const double coarse = error_of_wave(N, N + 1, 2, 0.0, false), fine = error_of_wave(N, N + 1, 4, 0.0, false);
    report_rate("central_N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), N) << "order " << N << ": errors " << coarse << " and " << fine;
  }
}

TEST(Curved, a_plane_wave_converges_through_curved_and_straight_elements) {
  const int N = 2;
  const double coarse = error_of_wave(N, 4, 2, 1.0, true), fine = error_of_wave(N, 4, 4, 1.0, true);
  report_rate("partly", rate(coarse, fine), fine);
  EXPECT_GT(rate(coarse, fine), N + 0.7) << "errors " << coarse << " and " << fine;
}

/// After some time, of a wave that is in one half of a curved body: the field in its other half, behind a curved
/// surface at which the wave is taken out.
double leak_through_total_field_surface(int N, int cells) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {cells, cells, cells}});
  std::vector<bool> total;
  for (const auto& cell : mesh.cells) {
    double sum = 0;
    for (const std::int32_t vertex : cell) sum += mesh.vertices[index(vertex)][0];
    total.push_back(sum / 4 < 0.5);
  }
  curve(mesh, N + 1, testing::waves(0.06));
  const Discretization d(std::move(mesh), N);
  Problem problem{.system = around_a_wave(1.0), .parameters = {}, .boundary = {}};
  const int silent = problem.system.find_boundary("pmc");
  std::ranges::fill(problem.system.boundaries[index(silent)].outside, 0.0);
  for (const auto& parameter : problem.system.parameters)
    problem.parameters.emplace_back(d.K(), parameter.default_value);
  for (const auto& face : d.connectivity.boundary_faces)
    problem.boundary.push_back(total[index(face.cell)] ? 0 : silent);
  auto [faces, sign] = maxwell::total_field_surface(d, total);
  problem.face_terms.push_back(total_field_term(problem.system, maxwell::fields(pulse()), faces, sign));
  const auto keep = [&](std::vector<double> q, bool where) {
    const std::size_t values = q.size() / d.K();
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = total[i / values] == where ? q[i] : 0.0;
    return q;
  };
  const ReferenceOperator op(d, problem);
  std::vector<double> q = keep(exact_at(d, 0), true);
  advance(op, q, 0.3, 0.4 * stable_step(d, problem, lsrk54()));
  double energy = 0;
  for (const double part : op.energies(keep(q, false))) energy += part;
  return std::sqrt(energy);
}

TEST(Curved, behind_a_total_field_surface_all_is_quiet_but_for_an_error_of_one_order_more_than_the_fields) {
  for (const int N : {1, 2}) {
    const double coarse = leak_through_total_field_surface(N, 2), fine = leak_through_total_field_surface(N, 4);
    report_rate("total_field_N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), N + 0.7) << "order " << N << ": fields " << coarse << " and " << fine;
  }
}

/// Relative error of the frequency of the lowest mode, from how a ball rings that has its fields at first.
double error_of_ball(int N, int levels) {
  const analytic::SphericalCavity ball({.mode = analytic::SphericalCavity::Mode::tm_11});
  const Discretization d(make_round_ball(levels, std::min(2 * N, CurvedCells::highest_order)), N);
  Problem problem{.system = maxwell::system(), .parameters = {}, .boundary = {}};
  for (const auto& parameter : problem.system.parameters)
    problem.parameters.emplace_back(d.K(), parameter.default_value);
  problem.boundary.assign(d.connectivity.boundary_faces.size(), problem.system.find_boundary("pec"));
  const ReferenceOperator op(d, problem);
  std::vector<double> q(op.size()), weighted(op.size());
  const auto Np = static_cast<std::size_t>(d.Np());
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (std::size_t i = 0; i < Np; ++i) {
      const analytic::Fields f = ball.at(d.node(k, static_cast<int>(i)), 0, true);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        q[(6 * k + axis) * Np + i] = f.E[axis];
        q[(6 * k + 3 + axis) * Np + i] = f.H[axis];
      }
    }
  }
  op.apply_energy_matrix(q, weighted);
  const double dt = 0.7 * stable_step(d, problem, lsrk54());
  const auto samples = 2 * fewest_samples(dt, 0.3 * ball.omega(), 1.7 * ball.omega());
  std::vector<double> signal;
  for (std::size_t step = 0; step < samples; ++step) {
    signal.push_back(std::inner_product(q.begin(), q.end(), weighted.begin(), 0.0));
    advance(op, q, dt, dt);
  }
  const auto found = harmonic_inversion(signal, dt, 0.3 * ball.omega(), 1.7 * ball.omega());
  const auto main = std::ranges::max_element(found, {}, [](const Resonance& r) { return std::abs(r.amplitude); });
  return main == found.end() ? 1.0 : std::abs(main->frequency() * 2 * std::numbers::pi / ball.omega() - 1);
}

TEST(Curved, a_round_ball_rings_at_its_frequency_with_twice_the_order) {
  for (const int N : {1, 2}) {
    const double coarse = error_of_ball(N, 0), fine = error_of_ball(N, 1);
    report_rate("ball_N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), 2 * N - 0.5) << "order " << N << ": errors " << coarse << " and " << fine;
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
