#include "apps/examples/analytic/signal.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "apps/examples/analytic/tone.hpp"

namespace maxwell_dg::analytic {
namespace {

using std::numbers::pi;

template <typename F>
std::vector<double> sampled(const F& f, std::size_t count, double dt) {
  std::vector<double> samples(count);
  for (std::size_t m = 0; m < count; ++m) samples[m] = f(static_cast<double>(m) * dt);
  return samples;
}

TEST(Spectrum, of_a_gaussian_is_its_fourier_transform) {
  const double dt = 0.05;
  const auto samples = sampled([](double t) { return std::exp(-0.5 * (t - 8) * (t - 8)); }, 321, dt);
  for (const double omega : {0.0, 1.0, 2.5}) {
    const Complex exact = std::sqrt(2 * pi) * std::exp(-0.5 * omega * omega) * std::polar(1.0, 8 * omega);
    EXPECT_LT(std::abs(spectrum_at(samples, dt, omega) - exact), 1e-12);
  }
}

TEST(Spectrum, delay_multiplies_by_exp_plus_i_omega_delay) {
  const std::vector<double> samples{0.3, 1.0, -0.4};
  const Complex shifted = spectrum_at(samples, 0.1, 3.0, 0.7);
  EXPECT_LT(std::abs(shifted - spectrum_at(samples, 0.1, 3.0) * std::polar(1.0, 2.1)), 1e-15);
}

TEST(Tone, clean_decaying_tone_is_recovered_to_rounding) {
  const double omega = 2.7437, decay = 0.013;
  const Complex amplitude(0.8, -0.6);
  const auto samples =
      sampled([&](double t) { return (amplitude * std::exp(Complex(-decay, -omega) * t)).real(); }, 700, 0.05);
  const Tone tone = fit_tone(samples, 0.05, 1.0, 4.0);
  EXPECT_NEAR(tone.omega, omega, 1e-11);
  EXPECT_NEAR(tone.decay, decay, 1e-11);
  EXPECT_LT(std::abs(tone.amplitude - amplitude), 1e-9);
  EXPECT_LT(tone.misfit, 1e-10);
}

TEST(Tone, another_tone_hardly_moves_the_frequency) {
  const auto samples = sampled([](double t) { return std::cos(3.0 * t) + 0.1 * std::sin(5.1 * t); }, 1000, 0.03);
  const Tone tone = fit_tone(samples, 0.03, 2.0, 4.0);
  EXPECT_NEAR(tone.omega, 3.0, 1e-4);
  EXPECT_GT(tone.misfit, 0.05) << "the second tone is what the fit does not explain";
}

TEST(Tone, refuses_what_cannot_be_fitted) {
  const std::vector<double> few(8, 1.0);
  EXPECT_THROW((void)fit_tone(few, 0.1, 1, 2), std::invalid_argument);
  const std::vector<double> enough(64, 1.0);
  EXPECT_THROW((void)fit_tone(enough, 0.1, 2, 1), std::invalid_argument);
}

TEST(GaussianPulse, spectrum_is_20_dB_down_at_the_edges_of_its_band) {
  const GaussianPulse pulse(1.0, 0.8, 2.0);
  const double dt = 0.01;
  const auto samples = sampled([&](double t) { return pulse(t); }, 1200, dt);
  const double centre = std::abs(spectrum_at(samples, dt, 2 * pi));
  EXPECT_NEAR(std::abs(spectrum_at(samples, dt, 2 * pi * 0.6)) / centre, 0.1, 1e-5);
  EXPECT_NEAR(std::abs(spectrum_at(samples, dt, 2 * pi * 1.4)) / centre, 0.1, 1e-5);
  EXPECT_DOUBLE_EQ(pulse.delay(), 5 * pulse.tau());
}

}  // namespace
}  // namespace maxwell_dg::analytic
