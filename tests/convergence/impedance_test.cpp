#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/maxwell.hpp"
#include "tests/convergence/test_run.hpp"

namespace maxwell_dg::dg {
namespace {

const std::vector<double> impedances{0.1, 0.5, 3.0};
constexpr double wall = 1.5;

/// A pulse of a plane wave that travels along z, up or down: E_x = f(z), Z H_y = +-f(z).
TestRun::Fields wave(double amplitude, double Z, double direction) {
  return [=](const Point& x, const Point&, std::span<double> fields) {
    std::fill(fields.begin(), fields.end(), 0.0);
    constexpr double width = 0.25;
    fields[0] = amplitude * std::exp(-x[2] * x[2] / (2 * width * width));
    fields[4] = direction * fields[0] / Z;
  };
}

/// Between plates, pec where E is normal to them and pmc where H is; the surface number `surface` of some impedance is
/// at the upper end.
void set_guide(const Discretization& d, std::size_t surface, Problem& problem) {
  for (std::size_t b = 0; b < d.connectivity.boundary_faces.size(); ++b) {
    const Connectivity::BoundaryFace& at = d.connectivity.boundary_faces[b];
    const Geometry::Face& side = d.geometry.faces[index(at.cell)].at(index(at.face));
    std::string name = side.nz > 0.5 ? "impedance_" + std::to_string(surface) : "absorbing";
    if (std::abs(side.nx) > 0.5) name = "pec";
    if (std::abs(side.ny) > 0.5) name = "pmc";
    problem.boundary[b] = problem.system.find_boundary(name);
  }
}

/// What of a pulse comes back, as a share of its amplitude, and the norm of what else there is.
struct Reflection {
  double coefficient, rest;
};
Reflection reflection(double epsilon_r, double alpha, std::size_t surface) {
  const double Z = 1 / std::sqrt(epsilon_r), c = Z;
  TestRun run({.mesh = make_box({.min = {0, 0, -wall}, .max = {0.25, 0.25, wall}, .cells = {1, 1, 12}}),
               .N = 5,
               .system = maxwell::system({.alpha = alpha, .impedances = impedances}),
               .materials =
                   [=](const Point&) {
                     return std::vector<double>{epsilon_r, 1.0, 0.0};
                   },
               .extend = [=](const Discretization& d, Problem& problem) { set_guide(d, surface, problem); }});
  run.set(wave(1, Z, 1));
  run.advance(2 * wall / c, run.stable_step());  // it is back where it was
  std::vector<double> q(run.op().dofs());
  run.op().get_state(q);
  const std::vector<double> down = run.nodal(wave(1, Z, -1));
  const double coefficient = std::inner_product(q.begin(), q.end(), down.begin(), 0.0) /
                             std::inner_product(down.begin(), down.end(), down.begin(), 0.0);
  return {coefficient, run.error(wave(coefficient, Z, -1))};
}

void expect_reflection(double epsilon_r, double alpha, std::size_t surface) {
  const auto [coefficient, rest] = reflection(epsilon_r, alpha, surface);
  const double Z_s = impedances[surface], Z = 1 / std::sqrt(epsilon_r);
  EXPECT_NEAR(coefficient, (Z_s - Z) / (Z_s + Z), 1e-4) << "alpha " << alpha << ", Z_s " << Z_s;
  EXPECT_LT(rest, 1e-3) << "alpha " << alpha << ", Z_s " << Z_s;
}

TEST(Impedance, normal_incidence_is_reflected_as_the_impedances_say) {
  for (std::size_t surface = 0; surface < impedances.size(); ++surface) expect_reflection(4.0, 1.0, surface);
  for (const double alpha : {0.0, 0.5}) expect_reflection(4.0, alpha, 2);
  expect_reflection(1.0, 1.0, 2);
}

}  // namespace
}  // namespace maxwell_dg::dg
