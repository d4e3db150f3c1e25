#include "apps/examples/analytic/signal.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace maxwell_dg::analytic {

using std::numbers::pi;

Complex spectrum_at(std::span<const double> samples, double dt, double omega, double t0) {
  Complex total = 0;
  for (std::size_t m = 0; m < samples.size(); ++m) {
    total += samples[m] * std::polar(1.0, omega * (t0 + static_cast<double>(m) * dt));
  }
  return dt * total;
}

GaussianPulse::GaussianPulse(double frequency, double bandwidth, double amplitude)
    : frequency_(frequency),
      amplitude_(amplitude),
      tau_(std::sqrt(2 * std::numbers::ln10) / (pi * bandwidth)),
      delay_(5 * tau_) {}

double GaussianPulse::operator()(double t) const {
  const double s = t - delay_;
  return amplitude_ * std::exp(-s * s / (2 * tau_ * tau_)) * std::sin(2 * pi * frequency_ * s);
}

}  // namespace maxwell_dg::analytic
