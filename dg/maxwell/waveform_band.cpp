#include "dg/maxwell/waveform_band.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace maxwell_dg::dg::maxwell {

namespace {

/// x > 1 with x exp(1 - x) = level: x = 1 - ln(level) + ln(x), which contracts.
double ricker_edge(double level) {
  double x = 1 - std::log(level);
  for (int i = 0; i < 200; ++i) x = 1 - std::log(level) + std::log(x);
  return x;
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

}  // namespace maxwell_dg::dg::maxwell
