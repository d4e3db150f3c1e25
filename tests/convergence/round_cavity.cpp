#include "tests/convergence/round_cavity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "dg/mesh/curved/curved_geometry.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/gauss_legendre.hpp"

namespace maxwell_dg::dg {
namespace {

double root_between(const std::function<double(double)>& f, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (f(low) * f(middle) <= 0 ? high : low) = middle;
  }
  return (low + high) / 2;
}

/// The lowest mode of a metal ball of radius 1 that is filled up to `inner` with one medium and with another beyond:
/// TM_11, H along phi is f(r)/r sin(theta) with f = x j_1(x) inside; f and f'/epsilon are continuous, f' is 0 at the
/// wall (Balanis, Advanced Engineering Electromagnetics, 2nd ed. 2012, section 10.4).
struct LayeredBall {
  double inner = 0.5, epsilon_inside = 1, epsilon_beyond = 1;

  static double psi(double x) { return x * std::sph_bessel(1, x); }
  static double chi(double x) { return x * std::sph_neumann(1, x); }
  static double psi_slope(double x) { return x * std::sph_bessel(0, x) - std::sph_bessel(1, x); }
  static double chi_slope(double x) { return x * std::sph_neumann(0, x) - std::sph_neumann(1, x); }

  [[nodiscard]] double f_beyond(double w, double r) const {
    const double k = w * std::sqrt(epsilon_beyond);
    return psi(k * r) * chi_slope(k) - chi(k * r) * psi_slope(k);
  }
  [[nodiscard]] double dispersion(double w) const {
    const double ki = w * std::sqrt(epsilon_inside), kb = w * std::sqrt(epsilon_beyond);
    const double slope = kb * (psi_slope(kb * inner) * chi_slope(kb) - chi_slope(kb * inner) * psi_slope(kb));
    return ki * psi_slope(ki * inner) * f_beyond(w, inner) / epsilon_inside - psi(ki * inner) * slope / epsilon_beyond;
  }
  [[nodiscard]] double omega() const {
    const auto f = [&](double w) { return dispersion(w); };
    double w = 0.5;
    while (f(w) * f(w + 0.05) > 0) w += 0.05;
    return root_between(f, w, w + 0.05);
  }
  /// The density of RoundSurface at a point of the interface, and of the wall. E_r is 2 f cos(theta) / (epsilon omega
  /// r^2), E_theta is f' sin(theta) / (epsilon omega r).
  [[nodiscard]] double density_inside(double w, const Point& x) const {
    const double k = w * std::sqrt(epsilon_inside), cosine = x[2] / length(x), squared = cosine * cosine;
    const double D_r = 2 * psi(k * inner) / (w * inner * inner), slope = k * psi_slope(k * inner),
                 E_theta = slope / (epsilon_inside * w * inner);
    return (epsilon_beyond - epsilon_inside) * E_theta * E_theta * (1 - squared) +
           (1 / epsilon_inside - 1 / epsilon_beyond) * D_r * D_r * squared;
  }
  [[nodiscard]] double density_at_wall(double w, const Point& x) const {
    const double cosine = x[2] / length(x), squared = cosine * cosine;
    const double f = f_beyond(w, 1) * psi(w * std::sqrt(epsilon_inside) * inner) / f_beyond(w, inner);
    return f * f * (4 * squared / (epsilon_beyond * w * w) - (1 - squared));
  }
  /// H at a place, of any size.
  [[nodiscard]] Point H(double w, const Point& x) const {
    const double r = std::max(length(x), 1e-6), k = w * std::sqrt(epsilon_inside);
    const double f = r <= inner ? psi(k * r) : f_beyond(w, r) * psi(k * inner) / f_beyond(w, inner);
    return {-x[1] * f / (r * r), x[0] * f / (r * r), 0};
  }
};

/// omega + j decay of TM_11 in a ball of radius 1 with a sheet of conductance Y at `a`. f is x j_1(x) inside, and
/// beyond g, which has no slope at the wall. E_theta, that is f', is continuous, and f jumps by Y f' / (j omega).
/// Newton's method, from the mode without the sheet.
std::complex<double> frequency_with_sheet(double Y, double a, double without_sheet) {
  using Complex = std::complex<double>;
  const auto psi = [](Complex x) { return std::sin(x) / x - std::cos(x); };
  const auto chi = [](Complex x) { return -std::cos(x) / x - std::sin(x); };
  const auto psi_slope = [](Complex x) { return std::cos(x) / x - std::sin(x) / (x * x) + std::sin(x); };
  const auto chi_slope = [](Complex x) { return std::sin(x) / x + std::cos(x) / (x * x) - std::cos(x); };
  const auto mismatch = [&](Complex w) {
    const Complex g = psi(w * a) * chi_slope(w) - chi(w * a) * psi_slope(w);
    const Complex g_slope = psi_slope(w * a) * chi_slope(w) - chi_slope(w * a) * psi_slope(w);
    return g * psi_slope(w * a) - (psi(w * a) + Y * psi_slope(w * a) / Complex(0, 1)) * g_slope;
  };
  Complex w = without_sheet;
  for (int i = 0; i < 50; ++i) {
    const double h = 1e-6;
    w -= mismatch(w) * 2.0 * h / (mismatch(w + h) - mismatch(w - h));
  }
  return w;
}

/// The lowest mode of a torus with E around its axis, of a tube of radius 1 whose centre is `R` from the axis: with
/// u = E_phi, u = 0 at the wall, the integral of rho (|grad u|^2 + u^2 / rho^2) is k^2 times that of rho u^2. By
/// polynomials times 1 - x^2 - z^2, even in z, in the cross section; their error is below 1e-12 at degree 14.
class Torus {
 public:
  explicit Torus(double R, int degree = 14) : R_(R), degree_(degree) {
    for (std::size_t i = 0; i <= static_cast<std::size_t>(degree); ++i) {
      for (std::size_t j = 0; i + j <= static_cast<std::size_t>(degree); j += 2) powers_.emplace_back(i, j);
    }
    const auto n = static_cast<Eigen::Index>(powers_.size());
    Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(n, n), mass = stiffness;
    const GaussLegendre radial = GaussLegendre::make(24);
    constexpr int angles = 48;
    for (Eigen::Index q = 0; q < radial.x.size(); ++q) {
      const double r = (1 + radial.x(q)) / 2;
      for (int a = 0; a < angles; ++a) {
        const double phi = 2 * std::numbers::pi * a / angles, x = r * std::cos(phi), z = r * std::sin(phi),
                     rho = R_ + x;
        const double weight = radial.weights(q) / 2 * r * 2 * std::numbers::pi / angles;
        const auto [value, by_x, by_z] = basis(x, z);
        stiffness += weight * rho * (by_x * by_x.transpose() + by_z * by_z.transpose());
        stiffness += weight / rho * value * value.transpose();
        mass += weight * rho * value * value.transpose();
      }
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(stiffness, mass);
    omega_ = std::sqrt(modes.eigenvalues()(0));
    coefficients_ = modes.eigenvectors().col(0);
  }
  [[nodiscard]] double omega() const { return omega_; }
  [[nodiscard]] Point E(const Point& x) const {
    const double rho = std::hypot(x[0], x[1]);
    const double u = coefficients_.dot(basis(rho - R_, x[2]).value);
    return {-x[1] / rho * u, x[0] / rho * u, 0};
  }
  /// |H|^2 at the wall is that of u's derivative across it, over omega.
  [[nodiscard]] double density_at_wall(const Point& x) const {
    const double by = std::hypot(x[0], x[1]) - R_, r = std::hypot(by, x[2]), c = by / r, s = x[2] / r;
    const Basis at = basis(c, s);
    const double slope = coefficients_.dot(c * at.by_x + s * at.by_z);
    return -slope * slope / (omega_ * omega_);
  }

 private:
  struct Basis {
    Eigen::VectorXd value, by_x, by_z;
  };
  /// Legendre's polynomials P_n up to a degree, and their derivatives: P_n' = x P_{n-1}' + n P_{n-1}.
  struct Legendre {
    std::vector<double> value{1}, slope{0};
    Legendre(int degree, double x) {
      for (int n = 1; n <= degree; ++n) {
        slope.push_back(x * slope.back() + n * value.back());
        value.push_back(std::legendre(static_cast<unsigned>(n), x));
      }
    }
  };
  [[nodiscard]] Basis basis(double x, double z) const {
    const auto n = static_cast<Eigen::Index>(powers_.size());
    Basis b{Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n)};
    const double bubble = 1 - x * x - z * z;
    const Legendre of_x(degree_, x), of_z(degree_, z);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto [p, q] = powers_[static_cast<std::size_t>(i)];
      const double Px = of_x.value[p], dx = of_x.slope[p], Pz = of_z.value[q], dz = of_z.slope[q];
      b.value(i) = bubble * Px * Pz;
      b.by_x(i) = bubble * dx * Pz - 2 * x * Px * Pz;
      b.by_z(i) = bubble * Px * dz - 2 * z * Px * Pz;
    }
    return b;
  }
  double R_;
  int degree_;
  double omega_{};
  std::vector<std::pair<std::size_t, std::size_t>> powers_;
  Eigen::VectorXd coefficients_;
};

// --- what the program finds -----------------------------------------------------------------------------------------

constexpr const char* two_spheres =
    "Sphere(1) = {0, 0, 0, 1, 0, Pi/2, Pi/2};\nSphere(2) = {0, 0, 0, 0.5, 0, Pi/2, Pi/2};\n"
    "BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }\n";

/// Whether the mesh has a face of an element on a surface: a face in another one has points far from it.
bool lies_on(const RoundSurface& surface, std::span<const CurvedGeometry::FacePoint> points) {
  return std::ranges::all_of(points, [&](const auto& point) { return std::abs(surface.height(point.x)) < 0.02; });
}

}  // namespace

double shift_by_surfaces(const RoundCavity& cavity, const Discretization& discretization, double energy) {
  const Mesh& mesh = discretization.mesh;
  const CurvedGeometry& geometry = *discretization.curved;
  const std::vector<double>& weights = geometry.quadrature.face.weights;
  double sum = 0;
  for (std::size_t k = 0; k < discretization.K(); ++k) {
    if (!mesh.curved.is_curved(k)) continue;
    for (const RoundSurface& surface : cavity.surfaces) {
      if (surface.height(centroid(mesh, mesh.cells[k])) > 0) continue;  // it is the neighbour's face, too
      for (std::size_t face = 0; face < 4; ++face) {
        const std::size_t first = (index(mesh.curved.number[k]) * 4 + face) * weights.size();
        const std::span points(&geometry.at_face_points[first], weights.size());
        if (!lies_on(surface, points)) continue;
        for (std::size_t i = 0; i < points.size(); ++i) {
          const double area = weights[i] * points[i].face.Fscale * std::abs(determinant(points[i].gradients));
          sum += area * surface.height(points[i].x) * surface.density(points[i].x);
        }
      }
    }
  }
  return sum / (4 * energy);
}

RoundCavity layered_ball(double epsilon_inside, double epsilon_beyond) {
  const LayeredBall ball{.epsilon_inside = epsilon_inside, .epsilon_beyond = epsilon_beyond};
  const double omega = ball.omega();
  const bool is_layered = epsilon_inside != epsilon_beyond;
  std::vector<RoundSurface> surfaces{
      {.height = [](const Point& x) { return length(x) - 1; },
       .density = [ball, omega](const Point& x) { return ball.density_at_wall(omega, x); }}};
  if (is_layered) {
    surfaces.push_back({.height = [ball](const Point& x) { return length(x) - ball.inner; },
                        .density = [ball, omega](const Point& x) { return ball.density_inside(omega, x); }});
  }
  return {.script = is_layered ? two_spheres : "Sphere(1) = {0, 0, 0, 1, 0, Pi/2, Pi/2};\n",
          .magnetic = {0, 1},
          .epsilon_r =
              [ball](const Point& farthest) {
                return length(farthest) < ball.inner + 1e-6 ? ball.epsilon_inside : ball.epsilon_beyond;
              },
          .H = [ball, omega](const Point& x) { return ball.H(omega, x); },
          .surfaces = std::move(surfaces),
          .omega = omega};
}

RoundCavity ball_with_sheet(double conductance) {
  const LayeredBall ball;
  RoundCavity cavity = layered_ball();
  const std::complex<double> omega = frequency_with_sheet(conductance, ball.inner, cavity.omega);
  cavity.script = two_spheres;
  cavity.omega = omega.real();
  cavity.decay = omega.imag();
  cavity.sheet_conductance = conductance;
  return cavity;
}

RoundCavity round_cylinder() {
  const double k = root_between([](double x) { return std::cyl_bessel_j(0.0, x); }, 2, 3);
  const double H_at_wall = std::cyl_bessel_j(1.0, k);
  return {.script = "Cylinder(1) = {0, 0, 0, 0, 0, 0.7, 1, Pi/2};\n",
          .magnetic = {0, 1},
          .E =
              [k](const Point& x) {
                return Point{0, 0, std::cyl_bessel_j(0.0, k * std::hypot(x[0], x[1]))};
              },
          .surfaces = {{.height = [](const Point& x) { return std::hypot(x[0], x[1]) - 1; },
                        .density = [H_at_wall](const Point&) { return -H_at_wall * H_at_wall; }}},
          .omega = k};
}

RoundCavity torus() {
  const Torus mode(2);
  return {.script = "Torus(1) = {0, 0, 0, 2, 1, Pi/6};\n",
          .magnetic = {},
          .E = [mode](const Point& x) { return mode.E(x); },
          .surfaces = {{.height = [](const Point& x) { return std::hypot(std::hypot(x[0], x[1]) - 2, x[2]) - 1; },
                        .density = [mode](const Point& x) { return mode.density_at_wall(x); }}},
          .omega = mode.omega()};
}

double torus_frequency(double distance, int degree) {
  return Torus(distance, degree).omega();
}

}  // namespace maxwell_dg::dg
