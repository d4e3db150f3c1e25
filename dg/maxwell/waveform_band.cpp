#include "dg/maxwell/waveform_band.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::maxwell {

namespace {

/// x > 1 with x exp(1 - x) = level: x = 1 - ln(level) + ln(x), which contracts.
double ricker_edge(double level) {
  double x = 1 - std::log(level);
  for (int i = 0; i < 200; ++i) x = 1 - std::log(level) + std::log(x);
  return x;
}

/// Of the Gaussian in a pulse.
double width_of(const Waveform& w) {
  return w.kind == Waveform::Kind::ricker ? 1 / (std::numbers::sqrt2 * std::numbers::pi * w.frequency)
                                          : pulse_width(w.bandwidth);
}

}  // namespace

double relative_spectrum(const Waveform& w, double frequency) {
  switch (w.kind) {
    case Waveform::Kind::sine: return std::abs(frequency - w.frequency) <= 1e-9 * w.frequency ? 1.0 : 0.0;
    case Waveform::Kind::gaussian_pulse: {
      const double d = (frequency - w.frequency) / (w.bandwidth / 2);
      return std::pow(10.0, -d * d);
    }
    case Waveform::Kind::ricker: {
      const double x = frequency / w.frequency;
      return x * x * std::exp(1 - x * x);
    }
    case Waveform::Kind::expression: return 1.0;
  }
  throw std::logic_error("relative_spectrum: unknown waveform");
}

double band_edge(const Waveform& w, double level) {
  switch (w.kind) {
    case Waveform::Kind::sine: return w.frequency;
    case Waveform::Kind::gaussian_pulse: return w.frequency + w.bandwidth / 2 * std::sqrt(-std::log10(level));
    case Waveform::Kind::ricker: return w.frequency * std::sqrt(ricker_edge(level));
    case Waveform::Kind::expression: return std::numeric_limits<double>::infinity();
  }
  throw std::logic_error("band_edge: unknown waveform");
}

double end_of(const Waveform& w) {
  if (w.kind == Waveform::Kind::expression) return std::numeric_limits<double>::infinity();
  if (w.kind == Waveform::Kind::sine) return w.start + 2 / w.frequency;
  return peak_time(w) + 6 * width_of(w);
}

double envelope_at(const Waveform& w, double t) {
  const double A = std::abs(w.amplitude);
  switch (w.kind) {
    case Waveform::Kind::sine: {
      const double r = std::clamp(0.5 * w.frequency * (t - w.start), 0.0, 1.0);
      return A * r * r * r * (10 - r * (15 - 6 * r));
    }
    case Waveform::Kind::gaussian_pulse: {
      const double s = (t - peak_time(w)) / pulse_width(w.bandwidth);
      return A * std::exp(-0.5 * s * s);
    }
    case Waveform::Kind::ricker: {
      const double a = std::pow(std::numbers::pi * w.frequency * (t - peak_time(w)), 2);
      return A * (1 + 2 * a) * std::exp(-a);
    }
    case Waveform::Kind::expression: return std::abs(symbolic::evaluate(value_at(w, symbolic::time()), {}, t));
  }
  throw std::logic_error("envelope_at: unknown waveform");
}

}  // namespace maxwell_dg::dg::maxwell
