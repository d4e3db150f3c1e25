#include "dg/observe/fourier_sampling.hpp"

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "dg/maxwell/waveform_band.hpp"

namespace maxwell_dg::dg {
namespace {

using Complex = std::complex<double>;
using maxwell::Waveform;
using std::numbers::pi;

Complex transform(const FourierSampling& sampling, const std::function<double(double)>& signal, double f) {
  Complex sum;
  for (long step = 0; step <= sampling.steps; ++step) {
    const double t = static_cast<double>(step) * sampling.dt;
    sum += sampling.weight(step) * signal(t) * std::polar(1.0, -2 * pi * f * t);
  }
  return sum;
}

/// exp(-(t-t0)^2 / (2 tau^2)) sin(2 pi f0 (t-t0)), and its transform, worked out by hand.
struct Pulse {
  double f0 = 1.3, bandwidth = 1.0, tau = std::sqrt(2 * std::log(10.0)) / (pi * bandwidth), t0 = 6 * tau;
  double operator()(double t) const {
    return std::exp(-(t - t0) * (t - t0) / (2 * tau * tau)) * std::sin(2 * pi * f0 * (t - t0));
  }
  [[nodiscard]] Complex transform(double f) const {
    const auto lobe = [&](double d) { return std::exp(-2 * pi * pi * tau * tau * d * d); };
    return tau * std::sqrt(2 * pi) / Complex(0, 2) * (lobe(f - f0) - lobe(f + f0)) * std::polar(1.0, -2 * pi * f * t0);
  }
  [[nodiscard]] Waveform waveform() const {
    return {.kind = Waveform::Kind::gaussian_pulse, .frequency = f0, .bandwidth = bandwidth};
  }
};

TEST(FourierSampling, of_a_pulse_gives_its_transform_from_no_more_samples_than_its_band_demands) {
  const Pulse pulse;
  const double edge = maxwell::band_edge(pulse.waveform(), 1e-6);
  FourierSampling sampling = sample_pulse(0.003, 4000, edge, 1.8);
  EXPECT_GT(sampling.every, 50);
  for (const double f : {0.9, 1.3, 1.8}) {
    EXPECT_LT(std::abs(transform(sampling, pulse, f) / pulse.transform(f) - 1.0), 1e-5) << f;
  }
  sampling.every *= 2;
  EXPECT_GT(std::abs(transform(sampling, pulse, 1.8) / pulse.transform(1.8) - 1.0), 1e-3) << "aliased";
}

TEST(FourierSampling, takes_every_step_where_the_band_is_not_known) {
  EXPECT_EQ(sample_pulse(0.01, 100, std::numeric_limits<double>::infinity(), 1.0).every, 1);
}

TEST(FourierSampling, without_a_window_integrates_by_the_trapezoidal_rule) {
  const FourierSampling sampling{.dt = 0.25, .steps = 4};
  EXPECT_EQ(transform(
                sampling, [](double t) { return t; }, 0),
            Complex(0.5));
}

TEST(FourierSampling, of_a_tone_gives_amplitude_and_phase_whatever_part_of_a_period_a_step_is) {
  const double f = 1.0, phase = 0.8;
  for (const double dt : {0.0137, 0.0951, 0.011}) {
    for (const double duration : {2.1, 5.03, 40.0}) {
      const FourierSampling sampling = sample_tone(dt, std::lround(duration / dt), f);
      EXPECT_GE(static_cast<double>(sampling.every) * dt * f, 0.05);
      EXPECT_LE(static_cast<double>(sampling.every) * dt * f, 0.1);
      const Complex found = transform(
                                sampling, [&](double t) { return 2.5 * std::sin(2 * pi * f * t + phase); }, f) /
                            transform(
                                sampling, [&](double t) { return std::sin(2 * pi * f * t); }, f);
      EXPECT_LT(std::abs(found - std::polar(2.5, phase)), 2e-3) << dt << " of " << duration;
      if (duration > 10) {
        EXPECT_LT(std::abs(found - std::polar(2.5, phase)), 5e-5) << dt << " of " << duration;
      }
    }
  }
  EXPECT_THROW(static_cast<void>(sample_tone(0.1, 19, 1.0)), std::invalid_argument);
}

TEST(WaveformBand, ends_where_the_spectrum_has_fallen_to_the_level) {
  const Waveform ricker{.kind = Waveform::Kind::ricker, .frequency = 2};
  const Waveform sine{.kind = Waveform::Kind::sine, .frequency = 3};
  for (const double level : {0.1, 1e-3, 1e-6}) {
    for (const Waveform& w : {Pulse().waveform(), ricker}) {
      EXPECT_NEAR(maxwell::relative_spectrum(w, maxwell::band_edge(w, level)) / level, 1, 1e-9);
    }
  }
  EXPECT_NEAR(maxwell::band_edge(Pulse().waveform(), 0.1), 1.8, 1e-12);
  EXPECT_NEAR(maxwell::relative_spectrum(Pulse().waveform(), 0.7) / std::abs(Pulse().transform(0.7)) *
                  std::abs(Pulse().transform(1.3)),
              1, 1e-4);
  EXPECT_EQ(maxwell::relative_spectrum(ricker, 2), 1);
  EXPECT_EQ(maxwell::relative_spectrum(sine, 3), 1);
  EXPECT_EQ(maxwell::relative_spectrum(sine, 3.1), 0);
  EXPECT_EQ(maxwell::band_edge(sine, 0.1), 3);
}

}  // namespace
}  // namespace maxwell_dg::dg
