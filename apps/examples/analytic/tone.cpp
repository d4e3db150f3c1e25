#include "apps/examples/analytic/tone.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <vector>

#include <Eigen/Dense>

#include "apps/examples/analytic/signal.hpp"

namespace maxwell_dg::analytic {
namespace {

using std::numbers::pi;

std::vector<double> hann_window(std::size_t count) {
  std::vector<double> window(count);
  for (std::size_t m = 0; m < count; ++m) {
    window[m] = std::pow(std::sin(pi * (static_cast<double>(m) + 0.5) / static_cast<double>(count)), 2);
  }
  return window;
}

double peak_of_windowed_spectrum(std::span<const double> samples, std::span<const double> window, double dt,
                                 double omega_min, double omega_max) {
  std::vector<double> windowed(samples.begin(), samples.end());
  for (std::size_t m = 0; m < windowed.size(); ++m) windowed[m] *= window[m];
  const double duration = dt * static_cast<double>(samples.size());
  const double step = pi / (2 * duration);  // the main lobe is sixteen such steps wide
  double best = omega_min, largest = -1;
  for (double omega = omega_min; omega <= omega_max; omega += step) {
    const double magnitude = std::abs(spectrum_at(windowed, dt, omega));
    if (magnitude > largest) {
      largest = magnitude;
      best = omega;
    }
  }
  return best;
}

// Model exp(-g s)(p cos(w s) + q sin(w s)), s = time in units of half the duration, counted from the middle.
struct Fit {
  double w, g;
  Eigen::Vector2d pq;
  double misfit;
};

// One Gauss-Newton step: p, q are exact for given w, g; then all four move together.
Fit refine(std::span<const double> samples, std::span<const double> window, double w, double g, bool move) {
  const auto count = static_cast<Eigen::Index>(samples.size());
  Eigen::MatrixXd basis(count, 2);
  Eigen::VectorXd signal(count), weight(count), s(count);
  for (Eigen::Index m = 0; m < count; ++m) {
    const auto i = static_cast<std::size_t>(m);
    s[m] = 2 * (static_cast<double>(m) + 0.5) / static_cast<double>(count) - 1;
    weight[m] = window[i];
    signal[m] = window[i] * samples[i];
    basis(m, 0) = std::exp(-g * s[m]) * std::cos(w * s[m]);
    basis(m, 1) = std::exp(-g * s[m]) * std::sin(w * s[m]);
  }
  const Eigen::MatrixXd weighted = weight.asDiagonal() * basis;
  const Eigen::Vector2d pq = weighted.colPivHouseholderQr().solve(signal);
  const Eigen::VectorXd residual = signal - weighted * pq;
  Fit fit{w, g, pq, residual.norm() / signal.norm()};
  if (!move) return fit;

  Eigen::MatrixXd jacobian(count, 4);
  jacobian.leftCols(2) = weighted;
  for (Eigen::Index m = 0; m < count; ++m) {
    const double c = weighted(m, 0), d = weighted(m, 1);
    jacobian(m, 2) = s[m] * (pq[1] * c - pq[0] * d);   // d/dw
    jacobian(m, 3) = -s[m] * (pq[0] * c + pq[1] * d);  // d/dg
  }
  const Eigen::Vector4d change = jacobian.colPivHouseholderQr().solve(residual);
  fit.w += change[2];
  fit.g += change[3];
  return fit;
}

}  // namespace

Tone fit_tone(std::span<const double> samples, double dt, double omega_min, double omega_max) {
  if (samples.size() < 16) throw std::invalid_argument("fit_tone: needs at least 16 samples");
  if (!(omega_min < omega_max) || !(dt > 0)) throw std::invalid_argument("fit_tone: the band of frequencies is empty");
  const std::vector<double> window = hann_window(samples.size());
  const double half = 0.5 * dt * static_cast<double>(samples.size());

  double w = half * peak_of_windowed_spectrum(samples, window, dt, omega_min, omega_max);
  double g = 0;
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Fit next = refine(samples, window, w, g, true);
    const bool settled = std::abs(next.w - w) + std::abs(next.g - g) < 1e-12;
    w = next.w;
    g = next.g;
    if (!std::isfinite(w) || w < 0.5 * half * omega_min || w > 2 * half * omega_max) break;
    if (!settled) continue;
    const Fit fit = refine(samples, window, w, g, false);
    // (p + i q) exp(-i w s) has the real part p cos + q sin; the first sample is at s = 0.5 dt / half - 1.
    const double first = 0.5 * dt / half - 1;
    const Complex amplitude = Complex(fit.pq[0], fit.pq[1]) * std::exp(Complex(-g, -w) * first);
    return {w / half, g / half, amplitude, fit.misfit};
  }
  throw std::runtime_error("fit_tone: the fit did not settle; is there a tone in this band?");
}

}  // namespace maxwell_dg::analytic
