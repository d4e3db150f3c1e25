#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apps/examples/analytic/cavities.hpp"
#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "tests/convergence/test_run.hpp"

namespace maxwell_dg::dg {
namespace {

void write(const analytic::Fields& f, std::span<double> fields) {
  for (std::size_t c = 0; c < 3; ++c) {
    fields[c] = f.E[c];
    fields[3 + c] = f.H[c];
  }
}

/// cells x cells x cells cuboids on the unit cube.
Mesh unit_cube(int cells) {
  return make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {cells, cells, cells}});
}

// Small enough that the error in time cannot be seen beside the error in space: with LSRK54 it falls as dt^4 only, in
// space as h^(N+1).
double step_for(const TestRun& run, int N) {
  return (N <= 3 ? 0.5 : 0.25) * run.stable_step();
}

double cavity_error(int N, int cells) {
  const analytic::RectangularCavity cavity({.mode = {1, 1, 1}, .amplitude = {1.0, -0.25, -0.75}});
  TestRun run({.mesh = unit_cube(cells), .N = N, .system = maxwell::system()});
  const auto at = [&](double t) {
    return [&cavity, t](const Point& x, const Point&, std::span<double> fields) { write(cavity.at(x, t), fields); };
  };
  const double duration = 0.3;  // a quarter of a period: by then E and H are alike
  run.set(at(0));
  run.advance(duration, step_for(run, N));
  return run.error(at(duration));
}

void expect_cavity_converges(int N, int coarse, int fine) {
  const double e_coarse = cavity_error(N, coarse), e_fine = cavity_error(N, fine);
  const double seen = rate(e_coarse, e_fine, static_cast<double>(fine) / coarse);
  report_rate("N" + std::to_string(N), seen, e_fine);
  EXPECT_GT(seen, N + 0.5) << "errors " << e_coarse << " and " << e_fine;
}

TEST(Cavity, cavity_N1_converges_at_order_above_1_5) {
  expect_cavity_converges(1, 4, 8);
}
TEST(Cavity, cavity_N2_converges_at_order_above_2_5) {
  expect_cavity_converges(2, 3, 6);
}
TEST(Cavity, cavity_N3_converges_at_order_above_3_5) {
  expect_cavity_converges(3, 2, 4);
}
TEST(Cavity, cavity_N4_converges_at_order_above_4_5) {
  expect_cavity_converges(4, 2, 4);
}
TEST(Cavity, cavity_N5_converges_at_order_above_5_5) {
  expect_cavity_converges(5, 2, 4);
}
TEST(Cavity, cavity_N6_converges_at_order_above_6_5) {
  expect_cavity_converges(6, 2, 4);
}

TEST(Cavity, each_order_from_6_to_9_divides_the_error_by_five) {
  double before = cavity_error(6, 2);
  for (int N = 7; N <= 9; ++N) {
    const double error = cavity_error(N, 2);
    EXPECT_LT(error, before / 5) << "order " << N;
    before = error;
  }
  EXPECT_LT(before, 5e-7);
}

double lossy_error(int N, int cells) {
  const double epsilon_r = 1.5, sigma = 2.0;
  const analytic::RectangularCavity cavity(
      {.mode = {1, 1, 1}, .amplitude = {1.0, -0.25, -0.75}, .epsilon_r = epsilon_r, .sigma = sigma});
  TestRun run({.mesh = unit_cube(cells), .N = N, .system = maxwell::system(), .materials = [&](const Point&) {
                 return std::vector<double>{epsilon_r, 1.0, sigma};
               }});
  const auto at = [&](double t) {
    return [&cavity, t](const Point& x, const Point&, std::span<double> fields) { write(cavity.at(x, t), fields); };
  };
  const double duration = 0.6;  // E has fallen by a third
  run.set(at(0));
  run.advance(duration, step_for(run, N));
  return run.error(at(duration));
}

TEST(LossyCavity, decaying_mode_of_a_conductor_keeps_the_order) {
  for (int N = 1; N <= 4; ++N) {
    const int cells = N == 1 ? 4 : 2;
    const double coarse = lossy_error(N, cells), fine = lossy_error(N, 2 * cells);
    report_rate("N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), N + 0.5) << "order " << N << ": errors " << coarse << " and " << fine;
  }
}

double interface_error(int N, int cells) {
  const analytic::HalfFilledCavity cavity({.polarization = analytic::HalfFilledCavity::Polarization::tm_to_z,
                                           .interface = 0.5,
                                           .epsilon_below = 1.0,
                                           .epsilon_above = 2.25});
  const auto materials = [&](const Point& centroid) {
    return std::vector<double>{cavity.epsilon_r(centroid[2] > 0.5), 1.0, 0.0};
  };
  TestRun run({.mesh = unit_cube(cells), .N = N, .system = maxwell::system(), .materials = materials});
  const auto at = [&](double t) {
    return [&cavity, t](const Point& x, const Point& centroid, std::span<double> fields) {
      write(cavity.at(x, t, centroid[2] > 0.5), fields);
    };
  };
  run.set(at(0));
  run.advance(0.3, step_for(run, N));
  return run.error(at(0.3));
}

TEST(DielectricInterface, mode_whose_electric_field_jumps_keeps_the_order) {
  for (int N = 2; N <= 4; ++N) {
    const double coarse = interface_error(N, 2), fine = interface_error(N, 4);
    report_rate("N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), N + 0.5) << "order " << N << ": errors " << coarse << " and " << fine;
  }
}

double acoustic_error(int N, int cells) {
  const analytic::AcousticBox box({.mode = {1, 1, 1}, .rho = 1.5, .c = 2.0});
  const auto materials = [](const Point&) { return std::vector<double>{1.5, 2.0}; };
  TestRun run(
      {.mesh = unit_cube(cells), .N = N, .system = acoustics::system(), .boundary = "rigid", .materials = materials});
  const auto at = [&](double t) {
    return [&box, t](const Point& x, const Point&, std::span<double> fields) {
      const analytic::Sound sound = box.at(x, t);
      fields[0] = sound.p;
      for (std::size_t c = 0; c < 3; ++c) fields[1 + c] = sound.u[c];
    };
  };
  run.set(at(0));
  run.advance(0.15, step_for(run, N));
  return run.error(at(0.15));
}

TEST(AcousticBox, standing_wave_converges_above_N_plus_one_half) {
  for (int N = 1; N <= 4; ++N) {
    const int cells = N == 1 ? 4 : 2;
    const double coarse = acoustic_error(N, cells), fine = acoustic_error(N, 2 * cells);
    report_rate("N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), N + 0.5) << "order " << N << ": errors " << coarse << " and " << fine;
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
