#pragma once

#include <array>
#include <complex>
#include <cstddef>

/// Exact solutions that the solver is compared with. They share no code with it, and include none of its headers:
/// an error in one cannot hide in the other. Units throughout: epsilon_0 = mu_0 = c = 1.
namespace maxwell_dg::analytic {

using Vec3 = std::array<double, 3>;
using Complex = std::complex<double>;
using ComplexVec3 = std::array<Complex, 3>;

/// Electric and magnetic field at one point and time.
struct Fields {
  Vec3 E{};
  Vec3 H{};
};

/// Complex amplitudes at one point; the field in time is Re(amplitude * exp(-i omega t)).
struct Phasors {
  ComplexVec3 E{};
  ComplexVec3 H{};
};

template <typename S>
std::array<S, 3> sum(const std::array<S, 3>& a, const std::array<S, 3>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

template <typename S, typename T>
auto scaled(const S& s, const std::array<T, 3>& a) -> std::array<decltype(s * a[0]), 3> {
  return {s * a[0], s * a[1], s * a[2]};
}

template <typename T>
T dot(const Vec3& a, const std::array<T, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <typename T>
std::array<T, 3> cross(const Vec3& a, const std::array<T, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace maxwell_dg::analytic
