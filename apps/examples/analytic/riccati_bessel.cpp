#include "apps/examples/analytic/riccati_bessel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace maxwell_dg::analytic {
namespace {

// psi_{n-1} = (2n+1)/x psi_n - psi_{n+1}, started where psi is negligible, then scaled to the larger of the two
// closed forms psi_0 = sin x and psi_1 = sin x / x - cos x.
std::vector<double> psi_downwards(double x, int n_max) {
  const int top = static_cast<int>(std::ceil(std::max<double>(n_max, x) + 25 + 8 * std::cbrt(x)));
  std::vector<double> psi(static_cast<std::size_t>(top) + 2, 0.0);
  psi[static_cast<std::size_t>(top)] = 1e-300;
  for (int n = top; n >= 1; --n) {
    const auto i = static_cast<std::size_t>(n);
    psi[i - 1] = (2 * n + 1) / x * psi[i] - psi[i + 1];
    if (std::abs(psi[i - 1]) > 1e250) {
      for (std::size_t m = i - 1; m < psi.size(); ++m) psi[m] *= 1e-250;
    }
  }
  const double psi_0 = std::sin(x);
  const double psi_1 = x < 0.1 ? x * x * spherical_bessel_j_over_power(1, x) : std::sin(x) / x - std::cos(x);
  const double scale = std::abs(psi_0) > std::abs(psi_1) ? psi_0 / psi[0] : psi_1 / psi[1];
  psi.resize(static_cast<std::size_t>(n_max) + 1);
  for (double& value : psi) value *= scale;
  return psi;
}

std::vector<double> chi_upwards(double x, int n_max) {
  std::vector<double> chi(static_cast<std::size_t>(n_max) + 1);
  chi[0] = -std::cos(x);
  if (n_max >= 1) chi[1] = -std::cos(x) / x - std::sin(x);
  for (std::size_t n = 1; n + 1 < chi.size(); ++n) {
    chi[n + 1] = (2.0 * static_cast<double>(n) + 1.0) / x * chi[n] - chi[n - 1];
  }
  return chi;
}

// f_n' = f_{n-1} - n f_n / x holds for both kinds.
std::vector<double> derivatives(const std::vector<double>& f, double f_minus_1, double x) {
  std::vector<double> d(f.size());
  for (std::size_t n = 0; n < f.size(); ++n) {
    d[n] = (n == 0 ? f_minus_1 : f[n - 1]) - static_cast<double>(n) * f[n] / x;
  }
  return d;
}

/// j_n(x) / x^n = sum_k (-x^2/2)^k / (k! (2n+2k+1)!!): NIST handbook 10.53.1.
template <typename S>
S power_series(int n, S x) {
  S term = 1.0;
  for (int m = 1; m <= n; ++m) term /= 2 * m + 1;
  S total = term;
  for (int k = 1; k < 60 && std::abs(term) > 1e-18 * std::abs(total); ++k) {
    term *= -0.5 * x * x / (k * (2.0 * n + 2.0 * k + 1.0));
    total += term;
  }
  return total;
}

}  // namespace

RiccatiBessel RiccatiBessel::make(double x, int n_max) {
  if (!(x > 0) || n_max < 0) throw std::invalid_argument("RiccatiBessel: needs x > 0 and n_max >= 0");
  RiccatiBessel f;
  f.psi = psi_downwards(x, n_max);
  f.chi = chi_upwards(x, n_max);
  f.dpsi = derivatives(f.psi, std::cos(x), x);
  f.dchi = derivatives(f.chi, std::sin(x), x);
  return f;
}

double spherical_bessel_j_over_power(int n, double x) {
  if (std::abs(x) > n + 1.0) return RiccatiBessel::make(std::abs(x), n).psi.back() / std::pow(std::abs(x), n + 1);
  return power_series(n, x);  // whose terms fall from the start
}

Complex spherical_bessel_j_over_power(int n, Complex z) {
  return power_series(n, z);
}

}  // namespace maxwell_dg::analytic
