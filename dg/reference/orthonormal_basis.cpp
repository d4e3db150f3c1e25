#include "dg/reference/orthonormal_basis.hpp"

#include <cmath>
#include <vector>

namespace maxwell_dg::dg {
namespace {

/// A number with its gradient in (r, s, t), for forward differentiation: the same code computes values and derivatives.
struct Jet {
  double value;
  Eigen::Vector3d gradient;
};

Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.gradient + b.gradient};
}
Jet operator-(const Jet& a, const Jet& b) {
  return {a.value - b.value, a.gradient - b.gradient};
}
Jet operator*(double a, const Jet& b) {
  return {a * b.value, a * b.gradient};
}
Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.value * b.gradient + b.value * a.gradient};
}

/// w^n P_n^(alpha, 0)(x / w) for n = 0 ... N, by the three-term recurrence multiplied through by powers of w.
/// In collapsed coordinates the basis has factors P_n(x / w) times powers of w. Computed together, as here, there is no
/// division by w, which vanishes at edges and vertices of the tetrahedron.
template <class T>
std::vector<T> scaled_jacobi(int N, double alpha, const T& x, const T& w, const T& one) {
  std::vector<T> p{one};
  if (N >= 1) p.push_back(0.5 * ((alpha + 2) * x + alpha * w));
  for (int n = 1; n < N; ++n) {
    const double c = 2 * n + alpha;
    const double a1 = 2 * (n + 1) * (n + alpha + 1) * c;
    const double a2 = (c + 1) * alpha * alpha;
    const double a3 = c * (c + 1) * (c + 2);
    const double a4 = 2 * (n + alpha) * n * (c + 2);
    const auto last = p.end() - 1;
    p.push_back((1 / a1) * ((a2 * w + a3 * x) * *last - a4 * ((w * w) * *(last - 1))));
  }
  return p;
}

}  // namespace

ModalValues tetrahedron_modes(int N, double r, double s, double t) {
  const Jet one{1.0, {0, 0, 0}};
  const Jet jet_t{t, {0, 0, 1}};
  // a = x1 / w1, b = x2 / w2, c = t with w1 = (1-b)/2 (1-c)/2 and w2 = (1-c)/2.
  const Jet w1{-0.5 * (s + t), {0, -0.5, -0.5}};
  const Jet x1{1 + r + 0.5 * (s + t), {1, 0.5, 0.5}};
  const Jet w2{0.5 * (1 - t), {0, 0, -0.5}};
  const Jet x2{0.5 * (1 + 2 * s + t), {0, 1, 0.5}};

  const int Np = (N + 1) * (N + 2) * (N + 3) / 6;
  ModalValues modes{Eigen::VectorXd(Np), Eigen::Matrix<double, Eigen::Dynamic, 3>(Np, 3)};
  int mode = 0;
  const auto in_a = scaled_jacobi(N, 0, x1, w1, one);
  for (int i = 0; i <= N; ++i) {
    const auto in_b = scaled_jacobi(N - i, 2 * i + 1, x2, w2, one);
    for (int j = 0; j <= N - i; ++j) {
      const auto in_c = scaled_jacobi(N - i - j, 2 * (i + j) + 2, jet_t, one, one);
      for (int k = 0; k <= N - i - j; ++k, ++mode) {
        const double norm = std::sqrt(0.25 * (2 * i + 1) * (i + j + 1) * (2 * (i + j + k) + 3));
        const Jet psi = norm * (in_a[i] * in_b[j] * in_c[k]);
        modes.value(mode) = psi.value;
        modes.gradient.row(mode) = psi.gradient.transpose();
      }
    }
  }
  return modes;
}

Eigen::VectorXd triangle_modes(int N, double r, double s) {
  const double w = 0.5 * (1 - s);
  Eigen::VectorXd value((N + 1) * (N + 2) / 2);
  int mode = 0;
  const auto in_a = scaled_jacobi(N, 0, 0.5 * (1 + 2 * r + s), w, 1.0);
  for (int i = 0; i <= N; ++i) {
    const auto in_b = scaled_jacobi(N - i, 2 * i + 1, s, 1.0, 1.0);
    for (int j = 0; j <= N - i; ++j, ++mode) {
      value(mode) = std::sqrt(0.5 * (2 * i + 1) * (i + j + 1)) * in_a[i] * in_b[j];
    }
  }
  return value;
}

}  // namespace maxwell_dg::dg
