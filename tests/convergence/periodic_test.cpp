#include "dg/mesh/periodic.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/maxwell.hpp"
#include "tests/convergence/test_run.hpp"

namespace maxwell_dg::dg {
namespace {

/// A plane wave askew to a cube that is periodic in all directions; after a period of time it is back where it was.
double error(int N, int cells) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {cells, cells, cells}});
  for (Point& p : mesh.vertices) {
    const auto bump = [&](std::size_t axis) { return std::sin(2 * std::numbers::pi * p[axis]); };
    const double by = 0.03 * bump(0) * bump(1) * bump(2);  // moves no vertex of a surface
    for (double& x : p) x += by;
  }
  join_periodic(mesh,
                std::vector<PeriodicPair>{{"x_min", "x_max", "x"}, {"y_min", "y_max", "y"}, {"z_min", "z_max", "z"}});
  TestRun run({.mesh = std::move(mesh), .N = N, .system = maxwell::system()});
  const auto wave = [](const Point& x, const Point&, std::span<double> fields) {
    const double f = std::sin(2 * std::numbers::pi * (x[0] + x[1]));
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
    const double coarse = error(N, 3), fine = error(N, 6);
    report_rate("N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), N + 0.5) << "order " << N << ": errors " << coarse << " and " << fine;
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
