#pragma once

#include <span>

#include "apps/examples/analytic/vector.hpp"

/// What uniformly sampled signals say of frequencies. Sign convention as in MieSphere: exp(-i omega t).
namespace maxwell_dg::analytic {

/// dt * sum_m samples[m] exp(+i omega (t0 + m dt)): the spectrum at one angular frequency.
[[nodiscard]] Complex spectrum_at(std::span<const double> samples, double dt, double omega, double t0 = 0.0);

/// The signal exp(-decay t) Re(amplitude exp(-i omega t)), t from the first sample.
struct Tone {
  double omega{};
  double decay{};
  Complex amplitude{};
  double misfit{};  ///< rms of signal minus tone over rms of signal, weighted as the fit is
};

/// The strongest tone between two angular frequencies: the peak of the windowed spectrum, refined by a least-squares
/// fit of frequency, decay, amplitude and phase. A Hann window weights the samples, so that other tones that are a few
/// 2 pi / duration away hardly disturb it. O(samples * (duration * band)) time.
/// Throws std::invalid_argument with fewer than 16 samples or an empty band, std::runtime_error if the fit diverges.
[[nodiscard]] Tone fit_tone(std::span<const double> samples, double dt, double omega_min, double omega_max);

/// A Gaussian pulse as configurations define it: amplitude exp(-(t - t0)^2 / (2 tau^2)) sin(2 pi f (t - t0)), whose
/// spectrum falls to -20 dB at f -+ bandwidth/2, so tau = sqrt(2 ln 10) / (pi bandwidth); t0 = 5 tau.
class GaussianPulse {
 public:
  GaussianPulse(double frequency, double bandwidth, double amplitude = 1.0);
  [[nodiscard]] double operator()(double t) const;
  [[nodiscard]] double tau() const { return tau_; }
  [[nodiscard]] double delay() const { return delay_; }
  void set_delay(double delay) { delay_ = delay; }

 private:
  double frequency_, amplitude_, tau_, delay_;
};

}  // namespace maxwell_dg::analytic
