#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/current.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
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

struct Dipole {
  Point at, moment;  ///< moment: that of p(t) = 1
};

/// E of electric dipoles in vacuum (Jackson 1999, problem 6.24), of each:
/// 4 pi E = (3 r (r.p) - p) (p / R^3 + p' / R^2) + (r (r.p) - p) p'' / R, retarded.
Point exact_E(const std::vector<Dipole>& dipoles, const Point& x, double t) {
  Point E{};
  for (const Dipole& dipole : dipoles) {
    const Point away = minus(x, dipole.at);
    const double R = std::sqrt(dot(away, away)), along = dot(away, dipole.moment) / R;
    const Moment3 m = moment(t - R);
    for (std::size_t i = 0; i < 3; ++i) {
      const double radial = along * away[i] / R, axis = dipole.moment[i];
      E[i] +=
          ((3 * radial - axis) * (m.p / (R * R * R) + m.first / (R * R)) + (radial - axis) * m.second / R) / (4 * M_PI);
    }
  }
  return E;
}

struct Setting {
  Box box;
  double end;                   ///< nothing comes back from the open walls before
  double nearest, farthest;     ///< from the dipole, where fields are compared
  std::vector<Dipole> dipoles;  ///< the first is there, the others are its images
  std::string ground{};         ///< the surface that conducts
  bool bent = false;            ///< the elements around the origin are curved
};

/// Bends what is nearer to the origin than 0.3 along each axis, where planes of vertices have to be.
void bend_around_origin(Mesh& mesh) {
  curve(mesh, 3, [](const Point& x) {
    double inside = 0.12;
    for (const double at : x) inside *= std::max(0.0, 1 - at * at / 0.09);
    return Point{x[0] + inside * (0.5 + x[1]), x[1] - inside * (0.7 - x[2]), x[2] + inside * (0.4 - x[0])};
  });
  prepare(mesh, "bent box", Orientation::any);
}

/// The relative error of E, in the mean square, of the first dipole.
double error_of(const Setting& setting) {
  using namespace symbolic;
  const Expr since = (time() - delay) / tau;
  const Expr rate = time_derivative(exp(-0.5 * (since * since)));
  const Dipole& dipole = setting.dipoles.front();
  Mesh mesh = make_box(setting.box);
  if (setting.bent) bend_around_origin(mesh);
  TestRun run({.mesh = std::move(mesh),
               .N = 5,
               .system = maxwell::system(),
               .boundary = "absorbing",
               .extend = [&](const Discretization& d, Problem& problem) {
                 for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
                   const auto surface = static_cast<std::size_t>(d.connectivity.boundary_faces[b].surface);
                   if (d.mesh.surfaces[surface] == setting.ground)
                     problem.boundary[b] = problem.system.find_boundary("pec");
                 }
                 const auto& [px, py, pz] = dipole.moment;
                 problem.element_terms.push_back(maxwell::dipole_term(
                     problem.system, d, dipole.at, maxwell::DipoleKind::electric, {px * rate, py * rate, pz * rate}));
               }});
  run.advance(setting.end, run.stable_step());
  std::vector<double> q(run.op().dofs());
  run.op().get_state(q);
  const Discretization& d = run.discretization();
  double error = 0, norm = 0;
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (int n = 0; n < d.Np(); ++n) {
      const Point x = d.node(k, n), away = minus(x, dipole.at);
      const double R = std::sqrt(dot(away, away));
      if (R < setting.nearest || R > setting.farthest) continue;
      const Point E = exact_E(setting.dipoles, x, setting.end);
      for (std::size_t i = 0; i < 3; ++i) {
        const double found = q[(6 * k + i) * static_cast<std::size_t>(d.Np()) + static_cast<std::size_t>(n)];
        error += (found - E[i]) * (found - E[i]);
        norm += E[i] * E[i];
      }
    }
  }
  return std::sqrt(error / norm);
}

TEST(Dipole, field_is_exact_half_a_percent_away_from_it) {
  const double half = 1.2;
  const double error = error_of({.box = {.min = {-half, -half, -half}, .max = {half, half, half}, .cells = {8, 8, 8}},
                                 .end = 1.85,
                                 .nearest = 0.6,
                                 .farthest = 0.9,
                                 .dipoles = {{.at = {}, .moment = {0, 0, 1}}}});
  report_rate("error", 0, error);
  EXPECT_LT(error, 5e-3);
}

TEST(Dipole, in_curved_elements_has_the_same_field) {
  const double half = 1.2;
  const double error = error_of({.box = {.min = {-half, -half, -half}, .max = {half, half, half}, .cells = {8, 8, 8}},
                                 .end = 1.85,
                                 .nearest = 0.6,
                                 .farthest = 0.9,
                                 .dipoles = {{.at = {0.05, -0.02, 0.03}, .moment = {0.6, 0, 0.8}}},
                                 .bent = true});
  report_rate("error", 0, error);
  EXPECT_LT(error, 7e-3);
}

/// The image of a charge has the opposite sign, so that of a moment keeps its part across the ground alone.
TEST(Dipole, above_a_conducting_ground_has_the_field_of_itself_and_its_image_to_a_percent) {
  const double half = 1.2, height = 0.45;
  const double error = error_of(
      {.box = {.min = {-half, -half, 0}, .max = {half, half, 1.5}, .cells = {8, 8, 5}},
       .end = 1.85,
       .nearest = 0.6,
       .farthest = 0.9,
       .dipoles = {{.at = {0, 0, height}, .moment = {0.6, 0, 0.8}}, {.at = {0, 0, -height}, .moment = {-0.6, 0, 0.8}}},
       .ground = "z_min"});
  report_rate("error", 0, error);
  EXPECT_LT(error, 1e-2);
}

}  // namespace
}  // namespace maxwell_dg::dg
