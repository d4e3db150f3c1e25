#include "apps/examples/analytic/cavities.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/unit/analytic/maxwell_residual.hpp"

namespace maxwell_dg::analytic {
namespace {

using std::numbers::pi;

/// Largest of |epsilon dE/dt + sigma E - curl H| and |mu dH/dt + curl E| at one place and time.
template <typename At>
double maxwell_residual(const At& at, const Vec3& x, double t, double epsilon_r = 1, double mu_r = 1,
                        double sigma = 0) {
  const double h = 1e-3;
  const auto rate = [&](auto member) {
    const auto p1 = at(x, t + h).*member, m1 = at(x, t - h).*member;
    const auto p2 = at(x, t + 2 * h).*member, m2 = at(x, t - 2 * h).*member;
    Vec3 d{};
    for (std::size_t c = 0; c < 3; ++c) d[c] = (8 * (p1[c] - m1[c]) - (p2[c] - m2[c])) / (12 * h);
    return d;
  };
  const auto curl_E = curl_by_differences<double>([&](const Vec3& y) { return at(y, t).E; }, x, h);
  const auto curl_H = curl_by_differences<double>([&](const Vec3& y) { return at(y, t).H; }, x, h);
  const Vec3 current = sum(scaled(epsilon_r, rate(&Fields::E)), scaled(sigma, at(x, t).E));
  return std::max(distance(current, curl_H), distance(scaled(-mu_r, rate(&Fields::H)), curl_E));
}

TEST(RectangularCavity, fields_satisfy_maxwell_equations_and_walls) {
  const RectangularCavity cavity(
      {.size = {1.0, 1.5, 0.8}, .mode = {1, 2, 1}, .amplitude = {0.3, -1, 0.7}, .epsilon_r = 2.5, .mu_r = 1.5});
  const auto at = [&](const Vec3& x, double t) { return cavity.at(x, t); };
  EXPECT_LT(maxwell_residual(at, {0.31, 0.4, 0.27}, 0.6, 2.5, 1.5), 1e-8);
  const auto wall = cavity.at({1.0, 0.4, 0.3}, 0.3);
  EXPECT_LT(std::abs(wall.E[1]) + std::abs(wall.E[2]) + std::abs(wall.H[0]), 1e-14);
  EXPECT_GT(std::abs(wall.E[0]), 0.1);
}

TEST(RectangularCavity, fields_in_a_conductor_satisfy_maxwell_equations_and_decay) {
  const double sigma = 1.3, epsilon_r = 2.0;
  const RectangularCavity cavity({.amplitude = {0, 0, 1}, .epsilon_r = epsilon_r, .sigma = sigma});
  const auto at = [&](const Vec3& x, double t) { return cavity.at(x, t); };
  EXPECT_LT(maxwell_residual(at, {0.31, 0.4, 0.27}, 0.6, epsilon_r, 1.0, sigma), 1e-8);
  const double period = 2 * pi / cavity.omega();
  const Vec3 x{0.4, 0.3, 0.2};
  EXPECT_NEAR(at(x, period).E[2] / at(x, 0).E[2], std::exp(-sigma * period / (2 * epsilon_r)), 1e-13);
  EXPECT_THROW(RectangularCavity({.epsilon_r = 1.0, .sigma = 20.0}), std::invalid_argument);
}

TEST(RectangularCavity, te101_frequency_of_a_unit_cube_is_pi_sqrt_2) {
  EXPECT_DOUBLE_EQ(RectangularCavity({.mode = {1, 0, 1}, .amplitude = {0, 1, 0}}).omega(), pi * std::sqrt(2.0));
}

class HalfFilled : public testing::TestWithParam<HalfFilledCavity::Polarization> {
 protected:
  HalfFilledCavity::Options options{.polarization = GetParam(),
                                    .size = {1.2, 0.9, 1.0},
                                    .interface = 0.4,
                                    .epsilon_below = 1.0,
                                    .epsilon_above = 4.0,
                                    .branch = 1};
};

TEST_P(HalfFilled, fields_satisfy_maxwell_equations_in_both_halves) {
  const HalfFilledCavity cavity(options);
  const auto at = [&](const Vec3& x, double t) { return cavity.at(x, t); };
  EXPECT_LT(maxwell_residual(at, {0.31, 0.4, 0.2}, 0.6, 1.0), 1e-7);
  EXPECT_LT(maxwell_residual(at, {0.31, 0.4, 0.7}, 0.6, 4.0), 1e-7);
}

TEST_P(HalfFilled, traces_match_across_the_interface) {
  const HalfFilledCavity cavity(options);
  const Vec3 x{0.37, 0.29, 0.4};
  const auto below = cavity.at(x, 0.8, false), above = cavity.at(x, 0.8, true);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(below.H[c], above.H[c], 1e-13);
    const double factor = c == 2 ? 4.0 : 1.0;  // the normal component of D, the tangential ones of E
    EXPECT_NEAR(below.E[c], factor * above.E[c], 1e-13);
  }
  if (GetParam() == HalfFilledCavity::Polarization::tm_to_z) {
    EXPECT_GT(std::abs(below.E[2] - above.E[2]), 0.01) << "this mode is here because E jumps";
  }
}

TEST_P(HalfFilled, tangential_electric_field_vanishes_on_all_walls) {
  const HalfFilledCavity cavity(options);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double side : {0.0, 1.0}) {
      Vec3 x{0.37, 0.29, 0.55};
      x[axis] = side * options.size[axis];
      const auto f = cavity.at(x, 0.8);
      for (std::size_t c = 0; c < 3; ++c) {
        if (c == axis) continue;
        EXPECT_NEAR(f.E[c], 0.0, 1e-14);
      }
      EXPECT_NEAR(f.H[axis], 0.0, 1e-14);
    }
  }
}

TEST_P(HalfFilled, equal_halves_give_the_uniform_cavity) {
  options.epsilon_above = options.epsilon_below = 2.0;
  // g' = 0 at both ends allows the mode that is uniform along z, f = 0 does not.
  const int half_waves = GetParam() == HalfFilledCavity::Polarization::te_to_z ? options.branch + 1 : options.branch;
  const double k2 = std::pow(pi / 1.2, 2) + std::pow(pi / 0.9, 2) + std::pow(pi * half_waves, 2);
  EXPECT_NEAR(HalfFilledCavity(options).omega(), std::sqrt(k2 / 2.0), 1e-13);
}

TEST_P(HalfFilled, largest_transverse_field_is_one) {
  const HalfFilledCavity cavity(options);
  EXPECT_GT(cavity.omega(), 0);
  double largest = 0;
  for (int i = 0; i <= 40; ++i) {
    for (int j = 0; j <= 40; ++j) {
      for (int k = 0; k <= 40; ++k) {
        const Vec3 x{1.2 * i / 40, 0.9 * j / 40, 1.0 * k / 40};
        const auto f = cavity.at(x, 0.0);
        const bool te = GetParam() == HalfFilledCavity::Polarization::te_to_z;
        largest = std::max(largest, length(te ? f.E : f.H));
      }
    }
  }
  EXPECT_NEAR(largest, 1.0, 0.3);
}

INSTANTIATE_TEST_SUITE_P(Polarizations, HalfFilled,
                         testing::Values(HalfFilledCavity::Polarization::te_to_z,
                                         HalfFilledCavity::Polarization::tm_to_z),
                         [](const auto& instance) { return instance.index == 0 ? "te" : "tm"; });

TEST(HalfFilledCavity, a_mode_without_half_waves_is_refused) {
  EXPECT_THROW(HalfFilledCavity({.mode = {0, 1}}), std::invalid_argument);
  EXPECT_THROW(HalfFilledCavity({.interface = 1.0}), std::invalid_argument);
}

TEST(SphericalCavity, resonances_are_the_tabulated_ones) {
  // Balanis, Advanced Engineering Electromagnetics, tables 10-2 and 10-3: zeta'_11 = 2.744, zeta_11 = 4.493.
  const auto omega = [](SphericalCavity::Mode mode, double radius) {
    return SphericalCavity({.mode = mode, .radius = radius}).omega();
  };
  EXPECT_NEAR(omega(SphericalCavity::Mode::tm_11, 1.0), 2.743707269992265, 1e-13);
  EXPECT_NEAR(omega(SphericalCavity::Mode::te_11, 1.0), 4.493409457909064, 1e-13);
  EXPECT_NEAR(omega(SphericalCavity::Mode::te_11, 2.0), 4.493409457909064 / 2, 1e-13);
}

TEST(SphericalCavity, almost_filled_rings_as_filled) {
  for (const auto mode : {SphericalCavity::Mode::tm_11, SphericalCavity::Mode::te_11}) {
    const double k = SphericalCavity({.mode = mode}).omega(), epsilon_r = 3.0, sigma = 1.1;
    const SphericalCavity filled({.mode = mode, .ball_radius = 1 - 1e-9, .epsilon_r = epsilon_r, .sigma = sigma});
    const double decay = sigma / (2 * epsilon_r);
    EXPECT_NEAR(filled.decay(), decay, 1e-7);
    EXPECT_NEAR(filled.omega(), std::sqrt(k * k / epsilon_r - decay * decay), 1e-7);
  }
  EXPECT_THROW(SphericalCavity({.ball_radius = 1.0}), std::invalid_argument);
  EXPECT_THROW(SphericalCavity({.epsilon_r = 0.0}), std::invalid_argument);
}

TEST(SphericalCavity, fields_satisfy_maxwell_equations_and_the_wall) {
  for (const auto mode : {SphericalCavity::Mode::tm_11, SphericalCavity::Mode::te_11}) {
    const double epsilon_r = 4, sigma = 0.7;
    const SphericalCavity cavity(
        {.mode = mode, .radius = 1.3, .ball_radius = 0.7, .epsilon_r = epsilon_r, .sigma = sigma});
    EXPECT_GT(cavity.decay(), 0.01);
    const auto at = [&](const Vec3& x, double t) { return cavity.at(x, t); };
    EXPECT_LT(maxwell_residual(at, {0.3, -0.2, 0.5}, 0.6, epsilon_r, 1, sigma), 1e-8);
    EXPECT_LT(maxwell_residual(at, {0, 0, 0}, 0.6, epsilon_r, 1, sigma), 1e-8);
    EXPECT_LT(maxwell_residual(at, {0.9, 0.3, -0.7}, 0.2), 1e-8);
    const Vec3 n{2.0 / 3, -1.0 / 3, 2.0 / 3};
    const Fields wall = cavity.at(scaled(1.3, n), 0.4);
    EXPECT_LT(length(cross(n, wall.E)), 1e-13);
    EXPECT_LT(std::abs(dot(n, wall.H)), 1e-13);
    EXPECT_GT(length(wall.E) + length(wall.H), 0.1);
    const Fields inner = cavity.at(scaled(0.7 - 1e-12, n), 0.4), outer = cavity.at(scaled(0.7 + 1e-12, n), 0.4);
    EXPECT_LT(distance(inner.H, outer.H), 1e-10);
    EXPECT_LT(distance(cross(n, inner.E), cross(n, outer.E)), 1e-10);
    EXPECT_GT(length(cross(n, inner.E)), 0.05);
  }
}

TEST(AcousticBox, fields_satisfy_the_equations_and_walls) {
  const AcousticBox box({.size = {1, 1.4, 0.9}, .mode = {1, 2, 1}, .rho = 1.7, .c = 2.1});
  const Vec3 x{0.2, 0.5, 0.3};
  const double t = 0.4, h = 1e-4;
  const auto derivative = [&](auto value) { return (value(h) - value(-h)) / (2 * h); };
  double div_u = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto shifted = [&](double s) {
      Vec3 y = x;
      y[axis] += s;
      return box.at(y, t);
    };
    div_u += derivative([&](double s) { return shifted(s).u[axis]; });
    EXPECT_NEAR(derivative([&](double s) { return box.at(x, t + s).u[axis]; }),
                -derivative([&](double s) { return shifted(s).p; }) / 1.7, 1e-5);
  }
  EXPECT_NEAR(derivative([&](double s) { return box.at(x, t + s).p; }), -1.7 * 2.1 * 2.1 * div_u, 1e-4);
  EXPECT_NEAR(box.at({1, 0.5, 0.3}, t).u[0], 0.0, 1e-14);
}

}  // namespace
}  // namespace maxwell_dg::analytic
