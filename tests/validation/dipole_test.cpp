#include <cmath>

#include <gtest/gtest.h>

#include "dg/maxwell/current.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/symbolic/differentiate.hpp"
#include "tests/convergence/test_run.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr double tau = 0.22, delay = 1.1;  // of the moment p(t) = exp(-(t - delay)^2 / (2 tau^2))

struct Moment3 {
  double p, first, second;
};
Moment3 moment(double t) {
  const double s = (t - delay) / tau, p = std::exp(-0.5 * s * s);
  return {p, -s / tau * p, (s * s - 1) / (tau * tau) * p};
}

/// E of an electric dipole along z at the origin, in vacuum (Jackson 1999, problem 6.24):
/// 4 pi E = (3 r (r.p) - p) (p / R^3 + p' / R^2) + (r (r.p) - p) p'' / R, retarded.
Point exact_E(const Point& x, double t) {
  const double R = std::hypot(x[0], x[1], x[2]);
  const Moment3 m = moment(t - R);
  Point E{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double along = x[i] * x[2] / (R * R), axis = i == 2 ? 1.0 : 0.0;
    E[i] = ((3 * along - axis) * (m.p / (R * R * R) + m.first / (R * R)) + (along - axis) * m.second / R) / (4 * M_PI);
  }
  return E;
}

TEST(Dipole, field_is_exact_half_a_percent_away_from_it) {
  using namespace symbolic;
  const Expr since = (time() - delay) / tau;
  const Expr rate = time_derivative(exp(-0.5 * (since * since)));
  // Nothing comes back from the walls before the end.
  const double half = 1.2, end = 1.85;
  TestRun run({.mesh = make_box({.min = {-half, -half, -half}, .max = {half, half, half}, .cells = {8, 8, 8}}),
               .N = 5,
               .system = maxwell::system(),
               .boundary = "absorbing",
               .extend = [&](const Discretization& d, Problem& problem) {
                 problem.element_terms.push_back(maxwell::dipole_term(problem.system, d, {0, 0, 0},
                                                                      maxwell::DipoleKind::electric, {0.0, 0.0, rate}));
               }});
  run.advance(end, run.stable_step());
  std::vector<double> q(run.op().dofs());
  run.op().get_state(q);
  const Discretization& d = run.discretization();
  double error = 0, norm = 0;
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (int n = 0; n < d.Np(); ++n) {
      const Point x = d.node(k, n);
      const double R = std::hypot(x[0], x[1], x[2]);
      if (R < 0.6 || R > 0.9) continue;
      const Point E = exact_E(x, end);
      for (std::size_t i = 0; i < 3; ++i) {
        const double found = q[(6 * k + i) * static_cast<std::size_t>(d.Np()) + static_cast<std::size_t>(n)];
        error += (found - E[i]) * (found - E[i]);
        norm += E[i] * E[i];
      }
    }
  }
  report_rate("error", 0, std::sqrt(error / norm));
  EXPECT_LT(std::sqrt(error / norm), 5e-3);
}

}  // namespace
}  // namespace maxwell_dg::dg
