#include "apps/examples/analytic/cavities.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "apps/examples/analytic/riccati_bessel.hpp"
#include "apps/examples/analytic/root.hpp"

namespace maxwell_dg::analytic {
namespace {

using std::numbers::pi;

Vec3 wave_numbers(const Vec3& size, const std::array<int, 3>& mode) {
  return {pi * mode[0] / size[0], pi * mode[1] / size[1], pi * mode[2] / size[2]};
}

// cos(k h), sin(k h)/k and k sin(k h) for k^2 of either sign: all are smooth in k^2.
double cos_of(double k2, double h) {
  return k2 >= 0 ? std::cos(std::sqrt(k2) * h) : std::cosh(std::sqrt(-k2) * h);
}
double sin_over_k(double k2, double h) {
  if (std::abs(k2) * h * h < 1e-8) return h * (1 - k2 * h * h / 6);
  const double k = std::sqrt(std::abs(k2));
  return (k2 > 0 ? std::sin(k * h) : std::sinh(k * h)) / k;
}
double k_sin_of(double k2, double h) {
  return k2 * sin_over_k(k2, h);
}

}  // namespace

RectangularCavity::RectangularCavity(const Options& options)
    : k_(wave_numbers(options.size, options.mode)),
      mu_r_(options.mu_r),
      gamma_(options.sigma / (2 * options.epsilon_r)) {
  const double k2 = dot(k_, k_);
  if (!(k2 > 0)) throw std::invalid_argument("RectangularCavity: a mode needs half waves along some axis");
  amplitude_ = sum(options.amplitude, scaled(-dot(k_, options.amplitude) / k2, k_));
  const double omega2 = k2 / (options.epsilon_r * options.mu_r) - gamma_ * gamma_;
  if (!(omega2 > 0)) throw std::invalid_argument("RectangularCavity: so much loss lets no mode oscillate");
  omega_ = std::sqrt(omega2);
}

Fields RectangularCavity::at(const Vec3& x, double t) const {
  const Vec3 c{std::cos(k_[0] * x[0]), std::cos(k_[1] * x[1]), std::cos(k_[2] * x[2])};
  const Vec3 s{std::sin(k_[0] * x[0]), std::sin(k_[1] * x[1]), std::sin(k_[2] * x[2])};
  const Vec3 E{amplitude_[0] * c[0] * s[1] * s[2], amplitude_[1] * s[0] * c[1] * s[2],
               amplitude_[2] * s[0] * s[1] * c[2]};
  const Vec3 k_cross_a = cross(k_, amplitude_);
  const Vec3 curl{k_cross_a[0] * s[0] * c[1] * c[2], k_cross_a[1] * c[0] * s[1] * c[2],
                  k_cross_a[2] * c[0] * c[1] * s[2]};
  // mu_r dH/dt = -curl E: H = -curl times the integral of e(t) that the losses let die out, over mu_r.
  const double decay = std::exp(-gamma_ * t), cosine = std::cos(omega_ * t), sine = std::sin(omega_ * t);
  const double integral = decay * (omega_ * sine - gamma_ * cosine) / (omega_ * omega_ + gamma_ * gamma_);
  return {scaled(decay * cosine, E), scaled(-integral / mu_r_, curl)};
}

HalfFilledCavity::HalfFilledCavity(const Options& options)
    : options_(options), kx_(pi * options.mode[0] / options.size[0]), ky_(pi * options.mode[1] / options.size[1]) {
  const bool tm = options.polarization == Polarization::tm_to_z;
  const bool has_mode = tm ? options.mode[0] > 0 && options.mode[1] > 0 : options.mode[0] > 0 || options.mode[1] > 0;
  if (!has_mode || !(options.interface > 0) || !(options.interface < options.size[2])) {
    throw std::invalid_argument("HalfFilledCavity: the interface must lie inside and the mode must have half waves");
  }
  // Below `lowest` the field would be evanescent in both halves; one half uniform along z may sit right on it. Roots
  // are further apart than pi / (2 L sqrt(epsilon)), some two hundred steps.
  const double epsilon = std::max(options.epsilon_below, options.epsilon_above);
  const double lowest = std::hypot(kx_, ky_) / std::sqrt(epsilon);
  const double step = pi / (400 * options.size[2] * std::sqrt(epsilon));
  omega_ = nth_root([this](double omega) { return dispersion(omega); }, 0.999 * lowest, step, options.branch);

  double largest = 0;  // of |curl(psi z)|
  for (int i = 0; i <= 1000; ++i) {
    const double z = options.size[2] * i / 1000;
    const Profile p = profile(z, z > options.interface);
    largest = std::max({largest, std::abs(p.value) * std::hypot(kx_, ky_)});
  }
  scale_ = 1 / largest;
}

double HalfFilledCavity::kz_squared(double omega, bool above) const {
  return omega * omega * epsilon_r(above) - kx_ * kx_ - ky_ * ky_;
}

double HalfFilledCavity::kz_squared(bool above) const {
  return kz_squared(omega_, above);
}

// Multiplied out so that it has no poles. TE: f'/f matches; TM: g'/(epsilon_r g) matches.
double HalfFilledCavity::dispersion(double omega) const {
  const double below = kz_squared(omega, false), above = kz_squared(omega, true);
  const double h = options_.interface, d = options_.size[2] - options_.interface;
  if (options_.polarization == Polarization::te_to_z) {
    return cos_of(below, h) * sin_over_k(above, d) + cos_of(above, d) * sin_over_k(below, h);
  }
  return k_sin_of(below, h) * cos_of(above, d) / options_.epsilon_below +
         k_sin_of(above, d) * cos_of(below, h) / options_.epsilon_above;
}

// f (TE) or g (TM) with its derivative, written from the wall of each half so that wall and continuity hold exactly.
HalfFilledCavity::Profile HalfFilledCavity::profile(double z, bool above) const {
  const double here = kz_squared(above), there = kz_squared(!above);
  const double from_wall = above ? options_.size[2] - z : z;
  const double far_half = above ? options_.interface : options_.size[2] - options_.interface;
  const double sign = above ? -1.0 : 1.0;  // of d(from_wall)/dz
  if (options_.polarization == Polarization::te_to_z) {
    const double amplitude = scale_ * sin_over_k(there, far_half);
    return {amplitude * sin_over_k(here, from_wall), sign * amplitude * cos_of(here, from_wall)};
  }
  const double amplitude = scale_ * cos_of(there, far_half);
  return {amplitude * cos_of(here, from_wall), -sign * amplitude * k_sin_of(here, from_wall)};
}

Fields HalfFilledCavity::at(const Vec3& x, double t, bool above) const {
  const Profile p = profile(x[2], above);
  const double cx = std::cos(kx_ * x[0]), sx = std::sin(kx_ * x[0]);
  const double cy = std::cos(ky_ * x[1]), sy = std::sin(ky_ * x[1]);
  const double k2 = kx_ * kx_ + ky_ * ky_;
  // curl(psi z) = (d_y, -d_x, 0) psi;  curl curl(psi z) = (d_x d_z, d_y d_z, -(d_x^2 + d_y^2)) psi.
  if (options_.polarization == Polarization::te_to_z) {
    const Vec3 curl{-ky_ * cx * sy * p.value, kx_ * sx * cy * p.value, 0};
    const Vec3 curl_curl{-kx_ * sx * cy * p.slope, -ky_ * cx * sy * p.slope, k2 * cx * cy * p.value};
    return {scaled(std::cos(omega_ * t), curl), scaled(-std::sin(omega_ * t) / omega_, curl_curl)};
  }
  const Vec3 curl{ky_ * sx * cy * p.value, -kx_ * cx * sy * p.value, 0};
  const Vec3 curl_curl{kx_ * cx * sy * p.slope, ky_ * sx * cy * p.slope, k2 * sx * sy * p.value};
  return {scaled(std::sin(omega_ * t) / (omega_ * epsilon_r(above)), curl_curl), scaled(std::cos(omega_ * t), curl)};
}

namespace {

// psi_1 and chi_1 with their derivatives.
struct FirstOrder {
  Complex psi, dpsi, chi, dchi;
  explicit FirstOrder(Complex z)
      : psi(z * z * spherical_bessel_j_over_power(1, z)),
        dpsi(std::sin(z) - psi / z),
        chi(-std::cos(z) / z - std::sin(z)),
        dchi(-std::cos(z) - chi / z) {}
};

}  // namespace

SphericalCavity::SphericalCavity(const Options& options) : options_(options) {
  if (!(options.ball_radius > 0) || !(options.ball_radius < options.radius) || !(options.epsilon_r > 0)) {
    throw std::invalid_argument("SphericalCavity: the ball must lie inside, of a positive permittivity");
  }
  // Without losses the frequency is real and bracketed, with losses it moves from there into the complex plane.
  const double sigma = std::exchange(options_.sigma, 0.0);
  const double lowest = 0.5 / (options.radius * std::sqrt(std::max(1.0, options.epsilon_r)));
  const auto real_dispersion = [this](double omega) { return dispersion(omega).real(); };
  omega_ = nth_root(real_dispersion, lowest, 0.1 * lowest, 0);
  options_.sigma = sigma;
  Complex before = omega_ * Complex(1.0, -1e-3);
  for (int i = 0; sigma != 0 && std::abs(omega_ - before) > 1e-14 * std::abs(omega_); ++i) {
    if (i == 100) throw std::invalid_argument("SphericalCavity: so much loss lets no mode oscillate");
    const Complex here = dispersion(omega_), there = dispersion(before);
    if (here == there) break;
    before = std::exchange(omega_, omega_ - here * (omega_ - before) / (here - there));
  }
  beyond_ = within(omega_, options.ball_radius).value / beyond(omega_, options.ball_radius).value;
}

Complex SphericalCavity::epsilon(Complex omega) const {
  return options_.epsilon_r + Complex(0, options_.sigma) / omega;
}

SphericalCavity::Profile SphericalCavity::within(Complex omega, double r) const {
  const Complex k = omega * std::sqrt(epsilon(omega));
  const FirstOrder f(k * r);
  return {f.psi, k * f.dpsi};
}

// As it must be at the wall.
SphericalCavity::Profile SphericalCavity::beyond(Complex omega, double r) const {
  const FirstOrder wall(omega * options_.radius), f(omega * r);
  const bool tm = options_.mode == Mode::tm_11;
  const Complex of_chi = tm ? wall.dpsi : wall.psi, of_psi = tm ? wall.dchi : wall.chi;
  return {of_chi * f.chi - of_psi * f.psi, omega * (of_chi * f.dchi - of_psi * f.dpsi)};
}

// The slopes over the values match at the medium's surface, multiplied out.
Complex SphericalCavity::dispersion(Complex omega) const {
  const Profile inner = within(omega, options_.ball_radius), outer = beyond(omega, options_.ball_radius);
  const Complex weight = options_.mode == Mode::tm_11 ? 1.0 / epsilon(omega) : 1.0;
  return weight * inner.slope * outer.value - inner.value * outer.slope;
}

// curl(u z x r) = 2 u z + (u'/r)(r^2 z - z_coordinate r), with u = f/r^2; within, u = k^2 (j_1(x)/x) and
// u'/r = -k^4 j_2(x)/x^2, x = k r.
Fields SphericalCavity::at(const Vec3& x, double t, bool in_medium) const {
  const double r2 = dot(x, x), r = std::sqrt(r2);
  const Complex medium = in_medium ? epsilon(omega_) : 1.0;
  Complex u, slope_over_r;
  if (in_medium) {
    const Complex k2 = omega_ * omega_ * medium, rho = std::sqrt(k2) * r;
    u = k2 * spherical_bessel_j_over_power(1, rho);
    slope_over_r = -k2 * k2 * spherical_bessel_j_over_power(2, rho);
  } else {
    const Profile f = beyond(omega_, r);
    u = beyond_ * f.value / r2;
    slope_over_r = (beyond_ * f.slope * r - 2.0 * beyond_ * f.value) / (r2 * r2);
  }
  const ComplexVec3 swirl{-u * x[1], u * x[0], 0};
  const ComplexVec3 curl = sum(ComplexVec3{0, 0, 2.0 * u + slope_over_r * r2}, scaled(-slope_over_r * x[2], x));
  const Complex turn = std::exp(Complex(0, -t) * omega_), i(0, 1);
  const auto real = [turn](const ComplexVec3& phasor) {
    return Vec3{(turn * phasor[0]).real(), (turn * phasor[1]).real(), (turn * phasor[2]).real()};
  };
  if (options_.mode == Mode::tm_11) return {real(scaled(1.0 / (omega_ * medium), curl)), real(scaled(-i, swirl))};
  return {real(swirl), real(scaled(-i / omega_, curl))};
}

AcousticBox::AcousticBox(const Options& options) : k_(wave_numbers(options.size, options.mode)), rho_(options.rho) {
  omega_ = options.c * std::sqrt(dot(k_, k_));
  if (!(omega_ > 0)) throw std::invalid_argument("AcousticBox: a mode needs half waves along some axis");
}

Sound AcousticBox::at(const Vec3& x, double t) const {
  const Vec3 c{std::cos(k_[0] * x[0]), std::cos(k_[1] * x[1]), std::cos(k_[2] * x[2])};
  const Vec3 s{std::sin(k_[0] * x[0]), std::sin(k_[1] * x[1]), std::sin(k_[2] * x[2])};
  const double factor = std::sin(omega_ * t) / (rho_ * omega_);
  return {
      c[0] * c[1] * c[2] * std::cos(omega_ * t),
      {factor * k_[0] * s[0] * c[1] * c[2], factor * k_[1] * c[0] * s[1] * c[2], factor * k_[2] * c[0] * c[1] * s[2]}};
}

}  // namespace maxwell_dg::analytic
