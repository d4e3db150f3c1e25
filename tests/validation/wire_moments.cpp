#include "tests/validation/wire_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Dense>

#include "dg/reference/gauss_legendre.hpp"

namespace maxwell_dg::testing {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

constexpr double c_0 = 299792458.0, Z_0 = 376.730313668;
const Complex j(0, 1);

/// The mean over phi of 1 / sqrt(t^2 + 4 a^2 sin^2(phi/2)): a complete elliptic integral, by the arithmetic-geometric
/// mean, which has a logarithm at t = 0.
double mean_inverse_distance(double t, double a) {
  const double farthest = std::hypot(t, 2 * a);
  double x = 1, y = std::abs(t) / farthest;
  while (std::abs(x - y) > 1e-15 * x) {
    const double mean = (x + y) / 2;
    y = std::sqrt(x * y);
    x = mean;
  }
  return 1 / (x * farthest);
}

/// Splines of degree 3 and 1 on unit intervals around 0.
double cubic(double u) {
  u = std::abs(u);
  return u < 1 ? (4 - 6 * u * u + 3 * u * u * u) / 6 : u < 2 ? std::pow(2 - u, 3) / 6 : 0;
}
double triangle(double u) {
  return std::max(0.0, 1 - std::abs(u));
}

class Moments {
 public:
  Moments(const TubeDipole& dipole, double frequency, int in_gap)
      : dipole_(dipole),
        k_(2 * pi * frequency / c_0),
        pieces_(2 * static_cast<int>(std::lround(dipole.half * in_gap / dipole.gap))) {}

  [[nodiscard]] Complex impedance() const {
    const Eigen::Index N = pieces_ - 1;
    Eigen::VectorXcd of_distance(N);
    for (Eigen::Index n = 0; n < N; ++n) of_distance(n) = reaction(static_cast<double>(n));
    Eigen::MatrixXcd Z(N, N);
    for (Eigen::Index m = 0; m < N; ++m) {
      for (Eigen::Index n = 0; n < N; ++n) Z(m, n) = of_distance(std::abs(m - n));
    }
    Eigen::VectorXcd V(N);
    for (Eigen::Index m = 0; m < N; ++m) V(m) = voltage(-dipole_.half + static_cast<double>(m + 1) * width());
    return 1.0 / Z.partialPivLu().solve(V).cwiseProduct(V).sum();  // over the mean of the current in the gap
  }

 private:
  [[nodiscard]] double width() const { return 2 * dipole_.half / pieces_; }

  [[nodiscard]] Complex kernel(double t) const {
    Complex sum = mean_inverse_distance(t, dipole_.radius);
    for (Eigen::Index i = 0; i < around_.x.size(); ++i) {  // (exp(-jkR) - 1) / R is smooth
      const double R = std::hypot(t, 2 * dipole_.radius * std::sin(pi * (around_.x[i] + 1) / 4));
      sum += around_.weights[i] / 2 * (std::exp(-j * k_ * R) - 1.0) / R;
    }
    return sum / (4 * pi);
  }

  /// Of two triangles so many widths apart. The integral over both of a kernel of their distance t is one over t with
  /// the convolution of both, a cubic spline; that of their slopes, with minus its second derivative.
  [[nodiscard]] Complex reaction(double apart) const {
    Complex of_current = 0, of_charge = 0;
    for (double begin = apart - 2; begin < apart + 1.5; ++begin) {
      for (Eigen::Index i = 0; i < along_.x.size(); ++i) {
        const double s = (along_.x[i] + 1) / 2;
        double u = begin + s, weight = along_.weights[i] / 2;
        if (begin == 0 || begin == -1) {  // points crowd at the logarithm
          u = (begin == 0 ? 1 : -1) * std::pow(s, 4);
          weight *= 4 * std::pow(s, 3);
        }
        const Complex here = weight * kernel(u * width());
        const double v = u - apart;
        of_current += here * cubic(v);
        of_charge += here * (2 * triangle(v) - triangle(v - 1) - triangle(v + 1));
      }
    }
    return Z_0 * (j * k_ * width() * width() * of_current + of_charge / (j * k_));
  }

  /// The integral of a triangle around z times the field in the gap.
  [[nodiscard]] double voltage(double z) const {
    const auto until = [&](double end) {
      const double u = std::clamp((end - z) / width(), -1.0, 1.0);
      return u < 0 ? (1 + u) * (1 + u) / 2 : 1 - (1 - u) * (1 - u) / 2;
    };
    return width() / dipole_.gap * (until(dipole_.gap / 2) - until(-dipole_.gap / 2));
  }

  TubeDipole dipole_;
  double k_;
  int pieces_;
  dg::GaussLegendre along_ = dg::GaussLegendre::make(10), around_ = dg::GaussLegendre::make(16);
};

}  // namespace

std::complex<double> impedance_of(const TubeDipole& dipole, double frequency, int in_gap) {
  return 2.0 * Moments(dipole, frequency, in_gap).impedance() - Moments(dipole, frequency, in_gap / 2).impedance();
}

}  // namespace maxwell_dg::testing
