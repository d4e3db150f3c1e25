#pragma once

#include <span>

#include "apps/examples/analytic/vector.hpp"

/// What uniformly sampled signals say of frequencies. Sign convention as in MieSphere: exp(-i omega t).
namespace maxwell_dg::analytic {

/// dt * sum_m samples[m] exp(+i omega (t0 + m dt)): the spectrum at one angular frequency.
[[nodiscard]] Complex spectrum_at(std::span<const double> samples, double dt, double omega, double t0 = 0.0);

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
