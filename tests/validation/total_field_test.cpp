#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "dg/maxwell/injection.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/symbolic/incident.hpp"
#include "tests/convergence/test_run.hpp"

namespace maxwell_dg::dg {
namespace {

struct Leakage {
  double rms_db, largest_db;  ///< outside, relative to the wave's amplitude
  double inside;              ///< L2 error inside over the norm of the wave there
};

/// A wave of length 1 through the cube |x| < 3 h, elements of size h, after a few periods.
Leakage leakage(double h, int N, const maxwell::HomogeneousMedium& medium = {}) {
  const double slowness = medium.refractive_index();
  const maxwell::PlaneWave wave{
      .direction = {1, 2, 2},
      .polarization = {2, -2, 1},
      .waveform = {.kind = maxwell::Waveform::Kind::sine, .frequency = 1 / slowness, .start = 2.5 * h * slowness},
      .medium = medium};
  const std::vector<symbolic::Expr> incident = maxwell::fields(wave);
  const auto is_inside = [h](const Point& c) {
    return std::max({std::abs(c[0]), std::abs(c[1]), std::abs(c[2])}) < 1.5 * h;
  };
  TestRun run({.mesh = make_box(
                   {.min = {-2.5 * h, -2.5 * h, -2.5 * h}, .max = {2.5 * h, 2.5 * h, 2.5 * h}, .cells = {5, 5, 5}}),
               .N = N,
               .system = maxwell::system(),
               .boundary = "absorbing",
               .extend = [&](const Discretization& d, Problem& problem) {
                 std::ranges::fill(problem.parameters.at(0), medium.epsilon_r);
                 std::ranges::fill(problem.parameters.at(1), medium.mu_r);
                 std::vector<bool> total;
                 for (const auto& cell : d.mesh.cells) total.push_back(is_inside(centroid(d.mesh, cell)));
                 const maxwell::TotalFieldSurface surface = maxwell::total_field_surface(d, total);
                 problem.face_terms.push_back(total_field_term(problem.system, incident, surface.faces, surface.sign));
               }});
  const double end = 5.3 * slowness;
  run.advance(end, run.stable_step());
  std::vector<double> q(run.op().dofs());
  run.op().get_state(q);
  const std::vector<double> expected = run.op().nodal_values(incident, end);
  const auto per_element = static_cast<std::size_t>(6 * run.discretization().Np());
  double outside = 0, largest = 0, error = 0, norm = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (is_inside(run.centroid(i / per_element))) {
      error += (q[i] - expected[i]) * (q[i] - expected[i]);
      norm += expected[i] * expected[i];
    } else {
      outside += q[i] * q[i];
      largest = std::max(largest, std::abs(q[i]));
      ++count;
    }
  }
  return {10 * std::log10(outside / static_cast<double>(count)), 20 * std::log10(largest), std::sqrt(error / norm)};
}

TEST(TotalField, leaks_less_than_60_dB_at_0_4_wavelengths) {
  const Leakage found = leakage(0.4, 4);
  report_rate("rms_db", found.rms_db, found.inside);
  EXPECT_LT(found.rms_db, -60);
  EXPECT_LT(found.inside, 2.5e-2);
}

TEST(TotalField, leaks_nowhere_more_than_60_dB_at_0_2_wavelengths) {
  const Leakage found = leakage(0.2, 4);
  report_rate("largest_db", found.largest_db, found.inside);
  EXPECT_LT(found.largest_db, -60);
  EXPECT_LT(found.inside, 1e-3);
}

TEST(TotalField, leaks_no_more_in_another_medium) {
  const Leakage found = leakage(0.4, 4, {.epsilon_r = 3, .mu_r = 1.2});
  report_rate("rms_db", found.rms_db, found.inside);
  EXPECT_LT(found.rms_db, -60);
  EXPECT_LT(found.inside, 2.5e-2);
}

}  // namespace
}  // namespace maxwell_dg::dg
