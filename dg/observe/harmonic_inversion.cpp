#include "dg/observe/harmonic_inversion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <Eigen/Dense>

#include "dg/observe/complex_solve.hpp"

namespace maxwell_dg::dg {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;
using Index = Eigen::Index;

/// The factor of decimation. The new sampling rate is four times the band's width, so that the filter's edges are
/// outside of the band.
std::size_t thinning(double dt, double width) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(2 * pi / (4 * width * dt)));
}

/// The length of the low-pass filter, in samples.
std::size_t filter_length(std::size_t every) {
  return 12 * every + 1;
}

/// A windowed sinc with gain 1 at frequency 0, for decimation by the factor `every`.
std::vector<double> low_pass(std::size_t every) {
  const std::size_t half = 6 * every;
  std::vector<double> taps(filter_length(every));
  double sum = 0;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    const double x = (static_cast<double>(i) - static_cast<double>(half)) / static_cast<double>(every);
    taps[i] = (x == 0 ? 1.0 : std::sin(pi * x) / (pi * x)) * std::pow(std::cos(0.5 * pi * x / 6.001), 2);
    sum += taps[i];
  }
  for (double& tap : taps) tap /= sum;
  return taps;
}

/// exp(-i w_0 t) signal, low-pass filtered, every `every`-th sample of it.
std::vector<Complex> thinned(std::span<const double> signal, const std::vector<double>& taps, double dt, double w_0,
                             std::size_t every) {
  std::vector<Complex> result;
  for (std::size_t first = 0; first + taps.size() <= signal.size(); first += every) {
    Complex value = 0;
    for (std::size_t i = 0; i < taps.size(); ++i) {
      value += taps[i] * signal[first + i] * std::polar(1.0, -w_0 * dt * static_cast<double>(first + i));
    }
    result.push_back(value);
  }
  return result;
}

/// U^p_ij = sum over n, m from 0 to M of c_{n+m+p} z_i^-n z_j^-m: the p-th power of the operator in the basis.
Eigen::MatrixXcd in_basis(const std::vector<Complex>& c, const Eigen::MatrixXcd& basis, Index p) {
  const Index length = basis.rows();
  Eigen::MatrixXcd hankel(length, length);
  for (Index n = 0; n < length; ++n) {
    for (Index m = 0; m < length; ++m) hankel(n, m) = c[static_cast<std::size_t>(n + m + p)];
  }
  return basis.transpose() * hankel * basis;
}

/// The Takagi factorization U = W diag(values) W^T of a symmetric U, with unitary W and non-negative descending values
/// (Horn & Johnson, Matrix Analysis, corollary 4.4.4). U conj(w) = value w means that the real matrix
/// ((Re U, Im U), (Im U, -Re U)) has the eigenvector (Re w, Im w) with this eigenvalue.
struct Takagi {
  Eigen::VectorXd values;
  Eigen::MatrixXcd vectors;
};

Takagi takagi(const Eigen::MatrixXcd& U) {
  const Index n = U.rows();
  Eigen::MatrixXd parts(2 * n, 2 * n);
  parts << U.real(), U.imag(), U.imag(), -U.real();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      parts);  // ascending: the last n eigenvalues are not negative
  Takagi factors{solver.eigenvalues().tail(n).reverse(), Eigen::MatrixXcd(n, n)};
  const Eigen::MatrixXd w = solver.eigenvectors().rightCols(n).rowwise().reverse();
  factors.vectors.real() = w.topRows(n);
  factors.vectors.imag() = w.bottomRows(n);
  return factors;
}

/// The amplitudes of oscillations, as a least-squares fit to the decimated samples; takes the filter's gain into
/// account.
void fit_amplitudes(std::vector<Resonance>& found, const std::vector<Complex>& c, const std::vector<double>& taps,
                    double dt, double w_0, double step) {
  const auto rows = static_cast<Index>(c.size()), columns = static_cast<Index>(found.size());
  Eigen::MatrixXcd A(rows, columns);
  for (Index k = 0; k < columns; ++k) {
    const Complex exponent = Complex(0, 1) * (found[static_cast<std::size_t>(k)].w - w_0);
    Complex gain = 0;
    for (std::size_t i = 0; i < taps.size(); ++i) gain += taps[i] * std::exp(exponent * (dt * static_cast<double>(i)));
    for (Index n = 0; n < rows; ++n) A(n, k) = gain * std::exp(exponent * (step * static_cast<double>(n)));
  }
  const Eigen::MatrixXcd x = complex_solve(A, Eigen::Map<const Eigen::VectorXcd>(c.data(), rows));
  for (Index k = 0; k < columns; ++k) found[static_cast<std::size_t>(k)].amplitude = x(k, 0);
}

}  // namespace

std::size_t fewest_samples(double dt, double w_min, double w_max) {
  const std::size_t every = thinning(dt, w_max - w_min);
  const double step = dt * static_cast<double>(every);
  const auto thinned_ones = static_cast<std::size_t>(std::ceil(4 * pi / (w_max - w_min) / step - 1e-9));
  return filter_length(every) + (std::max<std::size_t>(thinned_ones, 4) - 1) * every;
}

std::vector<Resonance> harmonic_inversion(std::span<const double> signal, double dt, double w_min, double w_max) {
  if (!(w_min >= 0) || !(w_max > w_min)) throw std::invalid_argument("harmonic_inversion: the band is empty");
  if (w_max * dt > pi) throw std::invalid_argument("harmonic_inversion: the band lies above what the samples resolve");
  const double width = w_max - w_min, w_0 = 0.5 * (w_min + w_max);
  if (signal.size() < fewest_samples(dt, w_min, w_max)) {
    throw std::invalid_argument("harmonic_inversion: the signal is shorter than five periods of the band's width");
  }
  const std::size_t every = thinning(dt, width);
  const std::vector<double> taps = low_pass(every);
  std::vector<Complex> c = thinned(signal, taps, dt, w_0, every);
  constexpr std::size_t most = 1200;
  if (c.size() > most) c.resize(most);
  const double step = dt * static_cast<double>(every);

  // Harmonics across the band and half its width beyond, at a spacing that the length of the signal can resolve.
  const auto length = static_cast<Index>((c.size() - 2) / 2);
  const auto harmonics =
      std::clamp<Index>(static_cast<Index>(std::ceil(2 * width * step * static_cast<double>(length) / (2 * pi))), 4,
                        std::min<Index>(length, 300));
  Eigen::MatrixXcd basis(length, harmonics);
  for (Index j = 0; j < harmonics; ++j) {
    const double shift = width * (2.0 * (static_cast<double>(j) + 0.5) / static_cast<double>(harmonics) - 1.0);
    for (Index n = 0; n < length; ++n) basis(n, j) = std::polar(1.0, -shift * step * static_cast<double>(n));
  }
  const Eigen::MatrixXcd U0 = in_basis(c, basis, 0), U1 = in_basis(c, basis, 1), U2 = in_basis(c, basis, 2);
  // U1 v = z U0 v in the part of the basis where U0 is more than rounding.
  const Takagi U0_factors = takagi(U0);
  Index rank = 0;
  while (rank < harmonics && U0_factors.values(rank) > 1e-9 * U0_factors.values(0)) ++rank;
  const Eigen::VectorXd scale = U0_factors.values.head(rank).cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXcd right = U0_factors.vectors.leftCols(rank).conjugate() * scale.asDiagonal();
  const auto reduced = [&](const Eigen::MatrixXcd& U) -> Eigen::MatrixXcd {
    const Eigen::MatrixXcd half = U * right;
    return right.transpose() * half;
  };
  const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> solver(reduced(U1));
  const Eigen::MatrixXcd twice = reduced(U2);
  const Eigen::MatrixXcd& vectors = solver.eigenvectors();

  std::vector<Resonance> found;
  for (Index k = 0; k < rank; ++k) {
    const Complex z = solver.eigenvalues()(k);
    const Eigen::VectorXcd v = vectors.col(k), image = twice * v;
    // The matrices are symmetric: an eigenvector transposed is the one on the left.
    const Complex squared = v.cwiseProduct(image).sum() / v.cwiseProduct(v).sum();
    const auto frequency_of = [&](Complex one_step) { return std::log(one_step) / (Complex(0, 1) * step); };
    const Complex w = frequency_of(z) + w_0;
    if (!(w.real() >= w_min && w.real() <= w_max)) continue;
    Complex root = std::sqrt(squared);
    if (std::abs(root - z) > std::abs(root + z)) root = -root;
    found.push_back({.w = w, .amplitude = {}, .error = std::abs(frequency_of(root) + w_0 - w) / w.real()});
  }
  std::erase_if(found, [](const Resonance& r) { return !(r.error < 1e-3); });
  if (found.empty()) return found;
  fit_amplitudes(found, c, taps, dt, w_0, step);
  const double largest =
      std::abs(std::ranges::max(found, {}, [](const Resonance& r) { return std::abs(r.amplitude); }).amplitude);
  std::erase_if(found, [&](const Resonance& r) { return std::abs(r.amplitude) < 1e-3 * largest; });
  std::ranges::sort(found, {}, [](const Resonance& r) { return r.w.real(); });
  return found;
}

}  // namespace maxwell_dg::dg
