#include "apps/examples/analytic/mie_sphere.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>

#include "apps/examples/analytic/riccati_bessel.hpp"

namespace maxwell_dg::analytic {
namespace {

constexpr Complex i_unit{0.0, 1.0};

// Wiscombe's count for the far field, and ten more: near the sphere terms fall off later.
int series_length(double x) {
  return static_cast<int>(std::ceil(x + 4.05 * std::cbrt(x) + 2)) + 10;
}

// pi_n = P_n^1 / sin(theta), tau_n = d P_n^1 / d theta (Bohren & Huffman 4.47), n = 1 ... count.
struct AngularFunctions {
  std::vector<double> pi, tau;
  AngularFunctions(double theta, std::size_t count) {
    const double mu = std::cos(theta);
    double before = 0.0;  // pi_{n-1}
    double now = 1.0;     // pi_n
    for (std::size_t i = 1; i <= count; ++i) {
      const auto n = static_cast<double>(i);
      pi.push_back(now);
      tau.push_back(n * mu * now - (n + 1) * before);
      const double next = ((2 * n + 1) * mu * now - (n + 1) * before) / n;
      before = now;
      now = next;
    }
  }
};

// Amplitudes (A, B) of the waves A xi_n + B psi_n of one mode, with the sphere asking for A s + B r = r (s, r: what
// xi and psi leave there) and the boundary for Z' = i Z, which reads the same for TM (E ~ Z', H ~ Z) and TE.
struct ModeAmplitudes {
  Complex outgoing, regular;
};
ModeAmplitudes solve_mode(Complex xi_at_sphere, Complex psi_at_sphere, const RiccatiBessel* boundary, std::size_t n) {
  if (boundary == nullptr) return {psi_at_sphere / xi_at_sphere, 0.0};
  const Complex xi = boundary->psi[n] + i_unit * boundary->chi[n];
  const Complex dxi = boundary->dpsi[n] + i_unit * boundary->dchi[n];
  const Complex ratio = (dxi - i_unit * xi) / (boundary->dpsi[n] - i_unit * boundary->psi[n]);
  const Complex outgoing = psi_at_sphere / (xi_at_sphere - ratio * psi_at_sphere);
  return {outgoing, -ratio * outgoing};
}

/// psi_n'(z) / psi_n(z), orders 0 to n_max, by recurrence downwards (Bohren & Huffman 4.89), in which errors fade.
std::vector<Complex> logarithmic_derivatives(Complex z, int n_max) {
  const int start = std::max(n_max, static_cast<int>(std::abs(z))) + 20;
  std::vector<Complex> D(static_cast<std::size_t>(start) + 1);
  for (int n = start; n > 0; --n) {
    const Complex ratio = static_cast<double>(n) / z;
    D[static_cast<std::size_t>(n) - 1] = ratio - 1.0 / (D[static_cast<std::size_t>(n)] + ratio);
  }
  return D;
}

/// Of losses that time dependence exp(-i omega t) gives a positive imaginary part.
Complex refractive_index(Complex epsilon_r) {
  const Complex m = std::sqrt(epsilon_r);
  return m.imag() < 0 ? -m : m;
}

/// psi_n and chi_n with their derivatives at a complex z; psi by its logarithmic derivatives D, chi upwards.
struct ComplexBessel {
  std::vector<Complex> psi, dpsi, chi, dchi;

  ComplexBessel(Complex z, int n_max) {
    const std::vector<Complex> D = logarithmic_derivatives(z, n_max);
    psi = {std::sin(z)};
    chi = {-std::cos(z), -std::cos(z) / z - std::sin(z)};
    dpsi = {std::cos(z)};
    dchi = {std::sin(z)};
    for (std::size_t n = 1; n <= static_cast<std::size_t>(n_max); ++n) {
      const Complex order = static_cast<double>(n) / z;
      psi.push_back(psi[n - 1] / (D[n] + order));
      dpsi.push_back(D[n] * psi[n]);
      if (n > 1) chi.push_back((2.0 * order - 1.0 / z) * chi[n - 1] - chi[n - 2]);
      dchi.push_back(chi[n - 1] - order * chi[n]);
    }
  }
};

/// What a sphere asks of a function with value f and slope df at its surface: tangential E of a conductor vanishes,
/// which goes with the slope (TM) or the value (TE); on a medium E and H continue, so that slope over value is what the
/// function within has: of index m, Z' / (m Z) for TM and m Z' / Z for TE (Bohren & Huffman 4.52, 4.53).
class Surface {
 public:
  static Surface conductor() { return {}; }

  static Surface medium(Complex m, Complex x, int n_max) {
    Surface surface;
    for (const Complex& D : logarithmic_derivatives(m * x, n_max)) {
      surface.tm_.push_back(D / m);
      surface.te_.push_back(m * D);
    }
    return surface;
  }

  /// With a coat of index m from k r = x_core to x: in it the function is psi - A chi, with A from what the core asks
  /// (Bohren & Huffman, section 8.1).
  [[nodiscard]] Surface coated(Complex m, double x_core, double x, int n_max) const {
    const ComplexBessel inner(m * x_core, n_max), outer(m * x, n_max);
    const auto within = [&](std::size_t n, Complex A) {
      return (outer.dpsi[n] - A * outer.dchi[n]) / (outer.psi[n] - A * outer.chi[n]);
    };
    Surface surface;
    for (std::size_t n = 0; n <= static_cast<std::size_t>(n_max); ++n) {
      // What the core asks is said for a function in vacuum; of one in the coat, the ratio of E and H has a factor m.
      const Complex A_tm = tm(n, inner.psi[n], inner.dpsi[n] / m) / tm(n, inner.chi[n], inner.dchi[n] / m);
      const Complex A_te = te(n, inner.psi[n], inner.dpsi[n] * m) / te(n, inner.chi[n], inner.dchi[n] * m);
      surface.tm_.push_back(within(n, A_tm) / m);
      surface.te_.push_back(within(n, A_te) * m);
    }
    return surface;
  }

  [[nodiscard]] Complex tm(std::size_t n, Complex f, Complex df) const { return tm_.empty() ? df : df - tm_[n] * f; }
  [[nodiscard]] Complex te(std::size_t n, Complex f, Complex df) const { return te_.empty() ? f : te_[n] * f - df; }

 private:
  std::vector<Complex> tm_, te_;  // [n] slope over value; none of a conductor
};

}  // namespace

MieSphere::MieSphere(const Options& options) : options_(options) {
  const Vec3& d = options.direction;
  const Vec3& p = options.polarization;
  if (!(options.k > 0) || !(options.radius > 0)) throw std::invalid_argument("MieSphere: needs k > 0 and radius > 0");
  if (std::abs(dot(d, d) - 1) > 1e-9 || std::abs(dot(p, p) - 1) > 1e-9 || std::abs(dot(d, p)) > 1e-9) {
    throw std::invalid_argument("MieSphere: direction and polarization must be orthogonal unit vectors");
  }
  if (options.coat && !(options.coat->core_radius > 0 && options.coat->core_radius < options.radius)) {
    throw std::invalid_argument("MieSphere: the core must be within the coat");
  }
  if (options.absorbing_radius && !(*options.absorbing_radius > options.radius)) {
    throw std::invalid_argument("MieSphere: the absorbing radius must exceed the sphere's");
  }
  axes_ = {p, cross(d, p), d};

  const double x = options.k * options.radius;
  const int count = series_length(x);
  const RiccatiBessel sphere = RiccatiBessel::make(x, count);
  const double x_core = options.k * (options.coat ? options.coat->core_radius : options.radius);
  Surface surface =
      options.epsilon_r ? Surface::medium(refractive_index(*options.epsilon_r), x_core, count) : Surface::conductor();
  if (options.coat) surface = surface.coated(refractive_index(options.coat->epsilon_r), x_core, x, count);
  std::optional<RiccatiBessel> boundary;
  if (options.absorbing_radius) boundary = RiccatiBessel::make(options.k * *options.absorbing_radius, count);
  for (std::size_t n = 1; n <= static_cast<std::size_t>(count); ++n) {
    const RiccatiBessel* outer = boundary ? &*boundary : nullptr;
    const Complex xi = sphere.psi[n] + i_unit * sphere.chi[n], dxi = sphere.dpsi[n] + i_unit * sphere.dchi[n];
    const double psi = sphere.psi[n], dpsi = sphere.dpsi[n];
    const auto tm = solve_mode(surface.tm(n, xi, dxi), surface.tm(n, psi, dpsi), outer, n);
    const auto te = solve_mode(surface.te(n, xi, dxi), surface.te(n, psi, dpsi), outer, n);
    a_.push_back(tm.outgoing);
    c_.push_back(tm.regular);
    b_.push_back(te.outgoing);
    d_.push_back(te.regular);
  }
}

Vec3 MieSphere::to_local(const Vec3& x) const {
  return {dot(axes_[0], x), dot(axes_[1], x), dot(axes_[2], x)};
}

Phasors MieSphere::incident(const Vec3& x) const {
  const Complex phase = std::exp(i_unit * options_.k * dot(options_.direction, x));
  return {scaled(phase, options_.polarization), scaled(phase, cross(options_.direction, options_.polarization))};
}

// With Z = A xi_n + B psi_n, functions of rho = k r, and E_n = i^n (2n+1) / (n(n+1)):
//   E_s = sum E_n (i N_e1n[Z_tm] - M_o1n[Z_te]),   H_s = sum E_n (M_e1n[Z_tm] + i N_o1n[Z_te]),
//   M ~ Z / rho, N_r ~ Z / rho^2, N_theta and N_phi ~ Z' / rho (Bohren & Huffman 4.17 to 4.20, 4.45).
Phasors MieSphere::scattered(const Vec3& point) const {
  const Vec3 x = to_local(point);
  const double r = std::sqrt(dot(x, x));
  const double theta = std::atan2(std::hypot(x[0], x[1]), x[2]);
  const double phi = std::atan2(x[1], x[0]);
  const double rho = options_.k * r;
  const AngularFunctions angular(theta, a_.size());
  const RiccatiBessel f = RiccatiBessel::make(rho, static_cast<int>(a_.size()));

  ComplexVec3 E{}, H{};  // r, theta, phi; cos(phi) and sin(phi) are put in below
  Complex i_to_n = 1.0;
  for (std::size_t n = 1; n <= a_.size(); ++n) {
    i_to_n *= i_unit;
    const auto order = static_cast<double>(n);
    const Complex E_n = i_to_n * (2 * order + 1) / (order * (order + 1));
    const Complex xi = f.psi[n] + i_unit * f.chi[n];
    const Complex dxi = f.dpsi[n] + i_unit * f.dchi[n];
    const std::size_t m = n - 1;
    const Complex tm = E_n * (a_[m] * xi + c_[m] * f.psi[n]) / rho;
    const Complex dtm = E_n * i_unit * (a_[m] * dxi + c_[m] * f.dpsi[n]) / rho;
    const Complex te = E_n * (b_[m] * xi + d_[m] * f.psi[n]) / rho;
    const Complex dte = E_n * i_unit * (b_[m] * dxi + d_[m] * f.dpsi[n]) / rho;
    const double pi = angular.pi[m];
    const double tau = angular.tau[m];
    const double radial = order * (order + 1) * std::sin(theta) * pi / rho;
    E[0] += i_unit * tm * radial;
    E[1] += dtm * tau - te * pi;
    E[2] += -dtm * pi + te * tau;
    H[0] += i_unit * te * radial;
    H[1] += -tm * pi + dte * tau;
    H[2] += -tm * tau + dte * pi;
  }
  const double cp = std::cos(phi), sp = std::sin(phi), ct = std::cos(theta), st = std::sin(theta);
  E = {cp * E[0], cp * E[1], sp * E[2]};
  H = {sp * H[0], sp * H[1], cp * H[2]};

  const Vec3 local_r{st * cp, st * sp, ct}, local_theta{ct * cp, ct * sp, -st}, local_phi{-sp, cp, 0.0};
  const auto to_global = [&](const ComplexVec3& v) {
    ComplexVec3 out{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Complex component = v[0] * local_r[axis] + v[1] * local_theta[axis] + v[2] * local_phi[axis];
      out = sum(out, scaled(component, axes_[axis]));
    }
    return out;
  };
  return {to_global(E), to_global(H)};
}

Phasors MieSphere::total(const Vec3& x) const {
  const Phasors i = incident(x);
  const Phasors s = scattered(x);
  return {sum(i.E, s.E), sum(i.H, s.H)};
}

void MieSphere::require_free_space() const {
  if (options_.absorbing_radius) throw std::logic_error("MieSphere: powers are those of free space");
}

MieSphere::Amplitudes MieSphere::amplitudes(double scattering_angle) const {
  const AngularFunctions angular(scattering_angle, a_.size());
  Amplitudes S{};
  for (std::size_t m = 0; m < a_.size(); ++m) {
    const auto n = static_cast<double>(m + 1);
    const double weight = (2 * n + 1) / (n * (n + 1));
    S.S1 += weight * (a_[m] * angular.pi[m] + b_[m] * angular.tau[m]);
    S.S2 += weight * (a_[m] * angular.tau[m] + b_[m] * angular.pi[m]);
  }
  return S;
}

double MieSphere::radar_cross_section(const Vec3& towards) const {
  const Vec3 u = to_local(towards);
  const double phi = std::atan2(u[1], u[0]);
  const Amplitudes S = amplitudes(std::atan2(std::hypot(u[0], u[1]), u[2]));
  const double parallel = std::pow(std::cos(phi), 2) * std::norm(S.S2);
  const double perpendicular = std::pow(std::sin(phi), 2) * std::norm(S.S1);
  return 4 * std::numbers::pi / (options_.k * options_.k) * (parallel + perpendicular);
}

double MieSphere::scattering_cross_section() const {
  require_free_space();
  double total = 0;
  for (std::size_t m = 0; m < a_.size(); ++m) {
    total += (2.0 * static_cast<double>(m + 1) + 1) * (std::norm(a_[m]) + std::norm(b_[m]));
  }
  return 2 * std::numbers::pi / (options_.k * options_.k) * total;
}

double MieSphere::extinction_cross_section() const {
  require_free_space();
  return 4 * std::numbers::pi / (options_.k * options_.k) * amplitudes(0.0).S1.real();
}

}  // namespace maxwell_dg::analytic
