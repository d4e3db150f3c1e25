#include "dg/mesh/periodic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "dg/lowering/phase_terms.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/observe/error_norms.hpp"
#include "tests/convergence/test_run.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr double pi = std::numbers::pi;

/// A cube, askew inside, periodic in all directions.
Mesh periodic_cube(int cells) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {cells, cells, cells}});
  for (Point& p : mesh.vertices) {
    const auto bump = [&](std::size_t axis) { return std::sin(2 * pi * p[axis]); };
    const double by = 0.03 * bump(0) * bump(1) * bump(2);  // moves no vertex of a surface
    for (double& x : p) x += by;
  }
  join_periodic(mesh,
                std::vector<PeriodicPair>{{"x_min", "x_max", "x"}, {"y_min", "y_max", "y"}, {"z_min", "z_max", "z"}});
  return mesh;
}

/// A plane wave askew to the cube; after a period of time it is back where it was.
double error_of_wave(int N, int cells) {
  TestRun run({.mesh = periodic_cube(cells), .N = N, .system = maxwell::system()});
  const auto wave = [](const Point& x, const Point&, std::span<double> fields) {
    const double f = std::sin(2 * pi * (x[0] + x[1]));
    const double h = f / std::numbers::sqrt2;  // H = k x E / |k|, k along (1, 1, 0), E along z
    const double values[] = {0, 0, f, h, -h, 0};
    std::copy(std::begin(values), std::end(values), fields.begin());
  };
  run.set(wave);
  run.advance(1 / std::numbers::sqrt2, 0.5 * run.stable_step());
  return run.error(wave);
}

TEST(Periodic, a_plane_wave_comes_back_after_a_period) {
  for (const int N : {2, 3}) {
    const double coarse = error_of_wave(N, 3), fine = error_of_wave(N, 6);
    report_rate("N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), N + 0.5) << "order " << N << ": errors " << coarse << " and " << fine;
  }
}

/// Waves that do not fit the cube, but for phases k . a across it (the empty lattice): e^{j (w t - k . x)}.
const Point wave_vector{2.1, -3.3, 1.4};

/// [element][field][node].
std::vector<double> complex_wave(const Discretization& d, double t) {
  const Point& k = wave_vector;
  const double w = std::sqrt(dot(k, k));
  const Point E{k[1] / w, -k[0] / w, 0};  // across k
  const Point H{-k[2] * E[1] / w, k[2] * E[0] / w, (k[0] * E[1] - k[1] * E[0]) / w};
  const auto Np = static_cast<std::size_t>(d.Np());
  std::vector<double> q(d.K() * 6 * Np);
  for (std::size_t e = 0; e < d.K(); ++e) {
    for (std::size_t i = 0; i < Np; ++i) {
      const double angle = w * t - dot(k, d.node(e, static_cast<int>(i)));
      const double part = d.complex_view.part(e) == FieldPart::real ? std::cos(angle) : std::sin(angle);
      for (std::size_t f = 0; f < 6; ++f) q[(6 * e + f) * Np + i] = part * (f < 3 ? E[f] : H[f - 3]);
    }
  }
  return q;
}

void add_phases(const Discretization& d, Problem& problem) {
  std::vector<PhasedFace> faces;
  for (std::size_t e = 0; e < d.complex_view.places(); ++e) {
    for (std::size_t face = 0; face < 4; ++face) {
      const std::int32_t partner = d.connectivity.neighbours[e][face];
      const auto centre = [&](std::size_t element, std::size_t f) {
        const auto& cell = d.mesh.cells[element];
        const auto& [a, b, c] = face_vertices.at(f);
        return centroid(d.mesh, std::array{cell[a], cell[b], cell[c]});
      };
      const Point here = centre(e, face);
      const Point there = centre(static_cast<std::size_t>(partner / 4), static_cast<std::size_t>(partner % 4));
      const Point a = minus(there, here);
      if (dot(a, a) < 0.1) continue;  // no joint
      faces.push_back({{static_cast<std::int32_t>(e), static_cast<std::int32_t>(face)}, dot(wave_vector, a)});
    }
  }
  for (FaceTerm& term : phase_terms(d, problem.system, faces)) problem.face_terms.push_back(std::move(term));
}

double phased_error(int N, int cells, double alpha) {
  TestRun run({.mesh = periodic_cube(cells),
               .N = N,
               .numbers = FieldNumbers::complex,
               .system = maxwell::system({.alpha = alpha}),
               .extend = add_phases});
  const double duration = 0.7;
  run.op().set_state(complex_wave(run.discretization(), 0));
  const double before = run.energy();
  run.advance(duration, 0.5 * run.stable_step());
  EXPECT_NEAR(run.energy() / before, 1, alpha == 0 ? 1e-6 : 1e-2);
  std::vector<double> q(run.op().dofs());
  run.op().get_state(q);
  double sum = 0;
  for (const ErrorNorm& norm : error_norms(run.discretization(), run.op().problem().system.fields, q,
                                           complex_wave(run.discretization(), duration))) {
    sum += norm.l2 * norm.l2;
  }
  return std::sqrt(sum);
}

TEST(Periodic, a_wave_that_fits_by_phases_runs_through) {
  const int N = 2;
  const double coarse = phased_error(N, 3, 1.0), fine = phased_error(N, 6, 1.0);
  report_rate("phased", rate(coarse, fine), fine);
  EXPECT_GT(rate(coarse, fine), N + 0.5) << "errors " << coarse << " and " << fine;
}

TEST(Periodic, phases_with_the_central_flux_conserve_energy) {
  EXPECT_LT(phased_error(2, 3, 0.0), 0.1);
}

}  // namespace
}  // namespace maxwell_dg::dg
