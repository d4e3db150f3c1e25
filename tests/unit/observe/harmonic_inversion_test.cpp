#include "dg/observe/harmonic_inversion.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

struct Line {
  double f, Q, amplitude, phase;
};

std::vector<double> signal_of(const std::vector<Line>& lines, std::size_t samples, double dt, double noise = 0) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0.0, 1.0);
  std::vector<double> signal(samples);
  for (std::size_t n = 0; n < samples; ++n) {
    const double t = dt * static_cast<double>(n);
    for (const Line& l : lines) {
      signal[n] += l.amplitude * std::exp(-M_PI * l.f / l.Q * t) * std::cos(2 * M_PI * l.f * t + l.phase);
    }
    signal[n] += noise * normal(random);
  }
  return signal;
}

TEST(HarmonicInversion, finds_frequency_q_and_amplitude_of_every_line_in_the_band) {
  const std::vector<Line> lines{{0.9, 80, 1.0, 0.3}, {1.0, 400, 0.5, -1.0}, {1.13, 1e4, 0.2, 2.0}, {3.0, 50, 2.0, 0.0}};
  const double dt = 0.01;
  const auto found = harmonic_inversion(signal_of(lines, 8000, dt), dt, 2 * M_PI * 0.8, 2 * M_PI * 1.3);
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found[i].frequency(), lines[i].f, 1e-5 * lines[i].f);
    EXPECT_NEAR(found[i].Q(), lines[i].Q, 2e-2 * lines[i].Q);
    EXPECT_NEAR(2 * std::abs(found[i].amplitude), lines[i].amplitude, 2e-2);
  }
}

// Two lines half of 1 / duration apart: one peak of a Fourier transform.
TEST(HarmonicInversion, resolves_lines_that_a_fourier_transform_does_not) {
  const double dt = 0.01, duration = 40;
  const std::vector<Line> lines{{1.0, 300, 1.0, 0.0}, {1.0 + 0.5 / duration, 500, 0.7, 1.0}};
  const auto found = harmonic_inversion(signal_of(lines, 4000, dt), dt, 2 * M_PI * 0.8, 2 * M_PI * 1.2);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0].frequency(), lines[0].f, 1e-4);
  EXPECT_NEAR(found[1].frequency(), lines[1].f, 1e-4);
}

TEST(HarmonicInversion, a_line_in_noise_is_found_and_noise_alone_is_nothing_to_rely_on) {
  const double dt = 0.01;
  const auto found = harmonic_inversion(signal_of({{1.0, 200, 1.0, 0.0}}, 6000, dt, 0.02), dt, 5.0, 8.0);
  const auto strongest = std::ranges::max_element(found, {}, [](const Resonance& r) { return std::abs(r.amplitude); });
  ASSERT_NE(strongest, found.end());
  EXPECT_NEAR(strongest->frequency(), 1.0, 1e-3);
  EXPECT_NEAR(strongest->Q(), 200, 20);
}

TEST(HarmonicInversion, needs_a_signal_of_five_periods_of_the_width_of_the_band) {
  const double dt = 0.01, f_min = 0.8, f_max = 1.3;
  const std::size_t fewest = fewest_samples(dt, 2 * M_PI * f_min, 2 * M_PI * f_max);
  EXPECT_NEAR(static_cast<double>(fewest) * dt * (f_max - f_min), 5, 0.1);
  const std::vector<double> signal = signal_of({{1.0, 50, 1.0, 0.3}}, fewest, dt);
  EXPECT_EQ(harmonic_inversion(signal, dt, 2 * M_PI * f_min, 2 * M_PI * f_max).size(), 1U);
  EXPECT_THROW((void)harmonic_inversion(std::span(signal).first(fewest - 1), dt, 2 * M_PI * f_min, 2 * M_PI * f_max),
               std::invalid_argument);
}

TEST(HarmonicInversion, refuses_what_cannot_be) {
  const std::vector<double> signal(1000, 1.0);
  EXPECT_THROW((void)harmonic_inversion(signal, 0.1, 2.0, 1.0), std::invalid_argument);
  EXPECT_THROW((void)harmonic_inversion(signal, 0.1, 1.0, 100.0), std::invalid_argument);
  EXPECT_THROW((void)harmonic_inversion(std::span(signal).first(20), 0.1, 1.0, 2.0), std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
