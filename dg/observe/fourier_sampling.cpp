#include "dg/observe/fourier_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace maxwell_dg::dg {

double FourierSampling::weight(long step) const {
  if (step % every != 0) return 0;
  const double interval = static_cast<double>(every) * dt;
  if (hann_length == 0) return step == 0 || step == steps ? interval / 2 : interval;
  const double before_end = static_cast<double>(steps - step) * dt;
  if (before_end >= hann_length) return 0;
  return interval / 2 * (1 - std::cos(2 * std::numbers::pi * before_end / hann_length));
}

FourierSampling sample_pulse(double dt, long steps, double band_edge, double highest_wanted) {
  const double interval = 1 / (highest_wanted + std::max(band_edge, highest_wanted));
  const double every = std::min(interval / dt, static_cast<double>(steps));
  return {.dt = dt, .steps = steps, .every = std::max(1L, static_cast<long>(every))};
}

FourierSampling sample_tone(double dt, long steps, double frequency) {
  const double periods = std::floor(static_cast<double>(steps) * dt * frequency / 2 * (1 + 1e-9));
  if (periods < 1) throw std::invalid_argument("sample_tone: the run lasts fewer than two periods");
  return {.dt = dt,
          .steps = steps,
          .every = std::max(1L, static_cast<long>(1 / (10 * frequency * dt))),
          .hann_length = std::min(periods, 4.0) / frequency};
}

}  // namespace maxwell_dg::dg
