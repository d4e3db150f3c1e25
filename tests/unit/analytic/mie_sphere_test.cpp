#include "apps/examples/analytic/mie_sphere.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "apps/examples/analytic/riccati_bessel.hpp"
#include "tests/unit/analytic/maxwell_residual.hpp"

namespace maxwell_dg::analytic {
namespace {

using std::numbers::pi;

Vec3 unit_vector(double theta, double phi) {
  return {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
}

// Directions that are on no axis and no plane of symmetry.
std::vector<Vec3> some_directions() {
  return {unit_vector(0.3, 0.4), unit_vector(1.1, 2.0), unit_vector(1.9, -1.3), unit_vector(2.8, 3.0)};
}

// A wave that comes from nowhere special, so that an error in a rotation shows.
MieSphere::Options oblique(double k) {
  return {.radius = 0.7,
          .k = k,
          .direction = {2.0 / 3, -1.0 / 3, 2.0 / 3},
          .polarization = {1 / std::sqrt(2.0), 0, -1 / std::sqrt(2.0)}};
}

TEST(RiccatiBessel, low_orders_equal_their_closed_forms) {
  for (const double x : {0.7, 3.0, 31.4, 250.0}) {
    const auto f = RiccatiBessel::make(x, 2);
    const double s = std::sin(x), c = std::cos(x);
    EXPECT_NEAR(f.psi[0], s, 1e-13);
    EXPECT_NEAR(f.psi[1], s / x - c, 1e-13);
    EXPECT_NEAR(f.psi[2], (3 / (x * x) - 1) * s - 3 * c / x, 1e-13);
    EXPECT_NEAR(f.chi[2], -(3 / (x * x) - 1) * c - 3 * s / x, 1e-13 * std::abs(f.chi[2]));
  }
}

TEST(RiccatiBessel, wronskian_is_one_at_every_order) {
  for (const double x : {1e-3, 0.1, 1.0, 10.0, 100.0, 1000.0}) {
    const auto f = RiccatiBessel::make(x, static_cast<int>(x) + 12);
    for (std::size_t n = 0; n < f.psi.size(); ++n) {
      EXPECT_NEAR(f.psi[n] * f.dchi[n] - f.dpsi[n] * f.chi[n], 1.0, 1e-11) << "x = " << x << ", n = " << n;
    }
  }
}

TEST(RiccatiBessel, reproduces_tabulated_values_of_high_order) {
  // Abramowitz & Stegun, table 10.5: j_10(1) = 7.116552640e-11, y_10(1) = -6.722150083e8.
  const auto f = RiccatiBessel::make(1.0, 10);
  EXPECT_NEAR(f.psi[10], 7.116552640e-11, 1e-20);
  EXPECT_NEAR(f.chi[10], -6.722150083e8, 1.0);
}

TEST(RiccatiBessel, smooth_quotient_continues_through_zero) {
  for (const int n : {0, 1, 2}) {
    for (const double x : {0.5, 1.5, 2.5, 4.0, 9.0}) {
      const auto f = RiccatiBessel::make(x, n);
      EXPECT_NEAR(spherical_bessel_j_over_power(n, x), f.psi.back() / std::pow(x, n + 1), 1e-14);
    }
  }
  EXPECT_DOUBLE_EQ(spherical_bessel_j_over_power(1, 0.0), 1.0 / 3);
  EXPECT_DOUBLE_EQ(spherical_bessel_j_over_power(2, 0.0), 1.0 / 15);
}

TEST(RiccatiBessel, refuses_zero_argument) {
  EXPECT_THROW((void)RiccatiBessel::make(0.0, 3), std::invalid_argument);
}

TEST(MieSphere, tangential_electric_field_vanishes_on_the_sphere) {
  for (const double ka : {0.05, 1.0, 2.0, 12.0}) {
    for (const bool absorbing : {false, true}) {
      auto options = oblique(ka / 0.7);
      if (absorbing) options.absorbing_radius = 3.0;
      const MieSphere mie(options);
      for (const Vec3& n : some_directions()) {
        const auto total = mie.total(scaled(options.radius, n));
        EXPECT_LT(length(cross(n, total.E)), 1e-12) << "ka = " << ka;
        EXPECT_LT(std::abs(dot(n, total.H)), 1e-12) << "ka = " << ka;
        EXPECT_GT(std::abs(dot(n, total.E)), 1e-3) << "the normal component carries the surface charge";
      }
    }
  }
}

TEST(MieSphere, scattered_field_satisfies_maxwell_equations) {
  for (const bool absorbing : {false, true}) {
    auto options = oblique(2.3);
    if (absorbing) options.absorbing_radius = 4.0;
    const MieSphere mie(options);
    for (const Vec3& n : some_directions()) {
      const Vec3 x = scaled(1.3, n);
      const double h = 1e-3;
      const auto field = mie.scattered(x);
      const auto curl_E = curl_by_differences<Complex>([&](const Vec3& y) { return mie.scattered(y).E; }, x, h);
      const auto curl_H = curl_by_differences<Complex>([&](const Vec3& y) { return mie.scattered(y).H; }, x, h);
      // exp(-i omega t): curl E = i omega H, curl H = -i omega E.
      EXPECT_LT(distance(curl_E, scaled(Complex(0, options.k), field.H)), 1e-9);
      EXPECT_LT(distance(curl_H, scaled(Complex(0, -options.k), field.E)), 1e-9);
    }
  }
}

TEST(MieSphere, absorbing_boundary_condition_holds_at_its_radius) {
  auto options = oblique(1.9);
  options.absorbing_radius = 2.1;
  const MieSphere mie(options);
  for (const Vec3& n : some_directions()) {
    const auto s = mie.scattered(scaled(2.1, n));
    // E_t = -n x H, both tangential.
    const auto E_t = sum(s.E, scaled(-dot(n, s.E), ComplexVec3{n[0], n[1], n[2]}));
    EXPECT_LT(length(sum(E_t, cross(n, s.H))), 1e-13);
    EXPECT_GT(length(E_t), 1e-3);
  }
}

TEST(MieSphere, absorbing_boundary_far_away_approaches_free_space) {
  const auto options = oblique(2.0);
  const MieSphere free_space(options);
  double before = 1.0;
  for (const double R : {2.0, 4.0, 8.0, 16.0}) {
    auto closed = options;
    closed.absorbing_radius = R;
    const MieSphere mie(closed);
    double difference = 0, size = 0;
    for (const Vec3& n : some_directions()) {
      const Vec3 x = scaled(1.2, n);
      difference = std::hypot(difference, distance(mie.scattered(x).E, free_space.scattered(x).E));
      size = std::hypot(size, length(free_space.scattered(x).E));
    }
    EXPECT_LT(difference / size, 0.6 * before) << "R = " << R;
    before = difference / size;
  }
  EXPECT_LT(before, 2e-3);
  EXPECT_GT(before, 1e-6) << "a first-order condition is not perfect";
}

TEST(MieSphere, small_sphere_is_an_electric_and_a_magnetic_dipole) {
  // Static limit: p = 4 pi a^3 E, m = -2 pi a^3 H. Near field of each: (3 n (n.p) - p) / (4 pi r^3).
  const MieSphere::Options options{.radius = 1.0, .k = 1e-4};
  const MieSphere mie(options);
  for (const Vec3& n : some_directions()) {
    const double r = 1.5;
    const auto s = mie.scattered(scaled(r, n));
    for (std::size_t c = 0; c < 3; ++c) {
      const Vec3 E0{1, 0, 0}, H0{0, 1, 0};
      EXPECT_NEAR(s.E[c].real(), (3 * n[c] * dot(n, E0) - E0[c]) / (r * r * r), 1e-6);
      EXPECT_NEAR(s.H[c].real(), -0.5 * (3 * n[c] * dot(n, H0) - H0[c]) / (r * r * r), 1e-6);
    }
  }
}

TEST(MieSphere, rayleigh_limit_of_cross_sections) {
  // Back: 9 pi a^2 (ka)^4, forward: pi a^2 (ka)^4, all around: 10/3 pi a^2 (ka)^4 (Bowman, Senior & Uslenghi, 10.3).
  const double ka = 1e-2, unit = pi * std::pow(ka, 4);
  const MieSphere mie({.radius = 1.0, .k = ka});
  EXPECT_NEAR(mie.radar_cross_section({0, 0, -1}) / unit, 9.0, 2e-3);
  EXPECT_NEAR(mie.radar_cross_section({0, 0, 1}) / unit, 1.0, 2e-3);
  EXPECT_NEAR(mie.scattering_cross_section() / unit, 10.0 / 3, 1e-3);
}

TEST(MieSphere, first_backscatter_maximum_is_where_the_handbooks_have_it) {
  // Ruck et al., Radar Cross Section Handbook: about 3.65 pi a^2 (5.6 dB) near ka = 1.03.
  double best_ka = 0, best = 0;
  for (double ka = 0.8; ka < 1.4; ka += 0.001) {
    const double rcs = MieSphere({.radius = 1.0, .k = ka}).radar_cross_section({0, 0, -1}) / pi;
    if (rcs > best) {
      best = rcs;
      best_ka = ka;
    }
  }
  EXPECT_NEAR(best_ka, 1.03, 0.01);
  EXPECT_NEAR(best, 3.65, 0.02);
}

TEST(MieSphere, large_sphere_reflects_like_geometrical_optics) {
  const MieSphere mie({.radius = 1.0, .k = 300.0});
  EXPECT_NEAR(mie.radar_cross_section({0, 0, -1}) / pi, 1.0, 1e-2);
  EXPECT_NEAR(mie.scattering_cross_section() / (2 * pi), 1.0, 0.05);  // extinction paradox
}

TEST(MieSphere, energy_is_conserved_and_the_optical_theorem_holds) {
  for (const double ka : {0.3, 1.0, 5.0, 40.0}) {
    const MieSphere mie({.radius = 1.0, .k = ka});
    const double sigma = mie.scattering_cross_section();
    EXPECT_NEAR(mie.extinction_cross_section() / sigma, 1.0, 1e-12);
    // The flux of scattered power through a sphere in the near field, by quadrature of the fields alone.
    if (ka > 1) continue;
    double power = 0;
    const int steps = 400, turns = 16;
    for (int i = 0; i < steps; ++i) {
      for (int j = 0; j < turns; ++j) {
        const double theta = pi * (i + 0.5) / steps;
        const Vec3 n = unit_vector(theta, 2 * pi * (j + 0.5) / turns);
        const auto s = mie.scattered(scaled(1.4, n));
        const ComplexVec3 H_conjugate{std::conj(s.H[0]), std::conj(s.H[1]), std::conj(s.H[2])};
        // n.(E x H*) = E.(H* x n) = -E.(n x H*)
        const auto n_cross_H = cross(n, H_conjugate);
        const double flux = -(s.E[0] * n_cross_H[0] + s.E[1] * n_cross_H[1] + s.E[2] * n_cross_H[2]).real();
        power += flux * 1.4 * 1.4 * std::sin(theta) * (pi / steps) * (2 * pi / turns);
      }
    }
    EXPECT_NEAR(power / sigma, 1.0, 1e-4) << "ka = " << ka;
  }
}

TEST(MieSphere, medium_scatters_as_tabulated_and_as_a_conductor_when_dense) {
  // Bohren & Huffman (1983), appendix A, sample of program BHMIE: radius 0.525, wavelength 0.6328, m = 1.55.
  const MieSphere::Options glass{.radius = 1, .k = 2 * pi * 0.525 / 0.6328, .epsilon_r = Complex(1.55 * 1.55, 0)};
  EXPECT_NEAR(MieSphere(glass).scattering_cross_section() / pi, 3.10543, 1e-5);
  MieSphere::Options dense{.radius = 1, .k = 1.3};
  const double metal = MieSphere(dense).scattering_cross_section();
  dense.epsilon_r = Complex(1, 1e9);  // a good conductor
  EXPECT_NEAR(MieSphere(dense).scattering_cross_section(), metal, 1e-3 * metal);
  // Far below the first resonance: Clausius-Mossotti.
  MieSphere::Options small{.radius = 1, .k = 0.01, .epsilon_r = Complex(4, 0)};
  const double rayleigh = 8 * pi / 3 * std::pow(0.01, 4) * std::pow(3.0 / 6.0, 2);
  EXPECT_NEAR(MieSphere(small).scattering_cross_section(), rayleigh, 1e-3 * rayleigh);
  // Losses take what is not scattered.
  MieSphere::Options lossy{.radius = 1, .k = 2, .epsilon_r = Complex(4, 0)};
  EXPECT_NEAR(MieSphere(lossy).extinction_cross_section(), MieSphere(lossy).scattering_cross_section(), 1e-9);
  lossy.epsilon_r = Complex(4, 1);
  EXPECT_GT(MieSphere(lossy).extinction_cross_section(), 1.1 * MieSphere(lossy).scattering_cross_section());
}

TEST(MieSphere, a_coat_is_nothing_of_vacuum_and_part_of_the_core_of_the_same_medium) {
  const MieSphere::Options glass{.radius = 1, .k = 1.7, .epsilon_r = Complex(4, 0.3)};
  const MieSphere::Options metal{.radius = 1, .k = 1.7};
  for (const MieSphere::Options& bare : {glass, metal}) {
    MieSphere::Options coated = bare;
    coated.radius = 1.6;
    coated.coat = {.core_radius = 1, .epsilon_r = 1.0};
    for (const Vec3& n : some_directions()) {
      const double expected = MieSphere(bare).radar_cross_section(n);
      EXPECT_NEAR(MieSphere(coated).radar_cross_section(n), expected, 1e-9 * expected);
    }
  }
  MieSphere::Options same = glass;
  same.coat = {.core_radius = 0.6, .epsilon_r = *glass.epsilon_r};
  for (const Vec3& n : some_directions()) {
    const double expected = MieSphere(glass).radar_cross_section(n);
    EXPECT_NEAR(MieSphere(same).radar_cross_section(n), expected, 1e-9 * expected);
  }
}

TEST(MieSphere, coated_scatters_as_tabulated_and_takes_nothing_without_losses) {
  // Bohren & Huffman (1983), appendix B, sample of program BHCOAT: radii 0.171 and 6.265, wavelength 3.
  const Complex core(1.59, 0.66), coat(1.409, 0.1747);
  const MieSphere mie({.radius = 1,
                       .k = 2 * pi * 6.265 / 3,
                       .epsilon_r = core * core,
                       .coat = MieSphere::Options::Coat{.core_radius = 0.171 / 6.265, .epsilon_r = coat * coat}});
  EXPECT_NEAR(mie.scattering_cross_section() / pi, 1.14341, 1e-5);
  EXPECT_NEAR(mie.extinction_cross_section() / pi, 2.32803, 1e-5);
  const MieSphere lossless(
      {.radius = 1, .k = 2.5, .coat = MieSphere::Options::Coat{.core_radius = 0.7, .epsilon_r = 3.0}});
  EXPECT_NEAR(lossless.extinction_cross_section(), lossless.scattering_cross_section(), 1e-10);
  EXPECT_GT(
      std::abs(lossless.scattering_cross_section() - MieSphere({.radius = 1, .k = 2.5}).scattering_cross_section()),
      0.1)
      << "the coat is not seen";
  EXPECT_THROW(MieSphere({.radius = 1, .coat = MieSphere::Options::Coat{.core_radius = 1, .epsilon_r = 2.0}}),
               std::invalid_argument);
}

TEST(MieSphere, near_field_far_out_matches_the_far_field_cross_section) {
  const MieSphere mie(oblique(2.0));
  for (const Vec3& n : some_directions()) {
    const double r = 2e4;
    const double from_field = 4 * pi * r * r * std::pow(length(mie.scattered(scaled(r, n)).E), 2);
    EXPECT_NEAR(from_field / mie.radar_cross_section(n), 1.0, 1e-3);
  }
}

TEST(MieSphere, refuses_a_polarization_along_the_direction) {
  EXPECT_THROW(MieSphere({.direction = {0, 0, 1}, .polarization = {0, 0, 1}}), std::invalid_argument);
  EXPECT_THROW(MieSphere({.radius = 2.0, .absorbing_radius = 1.0}), std::invalid_argument);
  const MieSphere closed({.absorbing_radius = 3.0});
  EXPECT_THROW((void)closed.scattering_cross_section(), std::logic_error);
  EXPECT_THROW((void)closed.extinction_cross_section(), std::logic_error);
}

}  // namespace
}  // namespace maxwell_dg::analytic
