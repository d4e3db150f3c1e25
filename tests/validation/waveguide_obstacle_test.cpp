#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "dg/mesh/mesh.hpp"
#include "tests/validation/two_port.hpp"

/// Obstacles in a rectangular guide, against mode matching and line currents.
namespace maxwell_dg::testing {
namespace {

/// Takes cells out: conductor stands there.
void remove_cells(dg::Mesh& mesh, const std::function<bool(const dg::Point&)>& holds) {
  std::vector<std::array<std::int32_t, 4>> cells;
  std::set<std::array<std::int32_t, 3>> faces;
  for (const auto& cell : mesh.cells) {
    if (holds(centroid(mesh, cell))) continue;
    cells.push_back(cell);
    for (const auto& [p, q, r] : dg::face_vertices) faces.insert({cell[p], cell[q], cell[r]});
  }
  mesh.cells = cells;
  mesh.cell_region.assign(cells.size(), 0);
  std::erase_if(mesh.surface_faces, [&](const dg::Mesh::SurfaceFace& face) { return !faces.contains(face.vertices); });
  dg::prepare(mesh, "iris", dg::Orientation::any);
}

/// Two equal obstacles of a thickness along z leave a window of a width in the middle between the narrow walls. Mode
/// matching of TE_m0 in the guide (orthonormal phi_m) with those of the window (psi_n), E in the window's mouth being
/// sum B_n psi_n: H across the mouth agrees if
///
///   sum_n' (sum_m C_mn Y_m C_mn' + delta_nn' y_n) B_n' = 2 Y_1 C_1n,  C_mn = integral phi_m psi_n,
///
/// y_n = Y_n tanh(gamma_n t/2) or coth, for a magnetic or an electric wall in the middle, whose reflections' half sum
/// and half difference are S11 and S21 (Uher, Bornemann and Rosenberg, Waveguide Components for Antenna Feed Systems,
/// Artech House 1993, chapter 2).
Matrix thick_iris(double window, double thickness, double frequency) {
  const double k = 2 * pi * frequency / c_0, from = (a - window) / 2;
  const int modes = 256, window_modes = static_cast<int>(std::lround(modes * window / a));
  const auto gamma = [&](int m, double width) { return std::sqrt(Complex(std::pow(m * pi / width, 2) - k * k)); };
  Eigen::MatrixXd C(modes, window_modes);
  for (int m = 1; m <= modes; ++m) {
    for (int n = 1; n <= window_modes; ++n) {
      const double p = m * pi / a, q = n * pi / window;
      const auto integral = [&](double s) {  // of cos((p - s q) x + p from) over the window
        const double w = p - s * q;
        return std::abs(w) < 1e-9 * p ? window * std::cos(p * from)
                                      : (std::sin(w * window + p * from) - std::sin(p * from)) / w;
      };
      C(m - 1, n - 1) = (integral(1) - integral(-1)) / std::sqrt(a * window);
    }
  }
  Eigen::VectorXcd Y(modes);
  for (int m = 1; m <= modes; ++m) Y(m - 1) = gamma(m, a) / j;
  const auto reflection = [&](bool electric) {
    Eigen::MatrixXcd system = C.transpose() * Y.asDiagonal() * C;
    for (int n = 1; n <= window_modes; ++n) {
      const Complex g = gamma(n, window), t = std::tanh(g * thickness / 2.0);
      system(n - 1, n - 1) += g / j * (electric ? 1.0 / t : t);
    }
    const Eigen::VectorXcd B = system.partialPivLu().solve(2.0 * Y(0) * C.row(0).transpose());
    return C.row(0).cast<Complex>().dot(B) - 1.0;
  };
  const Complex even = reflection(false), odd = reflection(true);
  Matrix S;
  S << even + odd, even - odd, even - odd, even + odd;
  return S / 2.0;
}

/// What a symmetrical window of no thickness is to a TE10 wave: a shunt reactance of (a / lambda_g) tan^2(pi d / 2a)
/// (Marcuvitz, Waveguide Handbook, McGraw-Hill 1951, section 5.2: the leading term, good for narrow windows).
TEST(Waveguide, mode_matching_tends_to_marcuvitz_for_a_thin_iris) {
  const double frequency = 8.5e9, window = a / 8, k = 2 * pi * frequency / c_0;
  const double X = std::sqrt(k * k - pi * pi / (a * a)) * a / (2 * pi) * std::pow(std::tan(pi * window / (2 * a)), 2);
  EXPECT_NEAR(std::abs(thick_iris(window, 1e-9, frequency)(1, 0)) / (2 * X / std::hypot(1, 2 * X)), 1, 0.03);
}

TEST(Waveguide, thick_inductive_iris) {
  constexpr double length = 36e-3;
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {a, b, length}, .cells = {4, 1, 9}});
  remove_cells(mesh,
               [](const dg::Point& c) { return std::abs(c[2] - 18e-3) < 2e-3 && std::abs(c[0] - a / 2) > a / 4; });
  const std::vector<Sample> samples = scattering_parameters({.mesh = mesh,
                                                             .materials = "{region: '*', epsilon_r: 1}",
                                                             .mode = "te10",
                                                             .band = te10_band,
                                                             .pulse = te10_pulse,
                                                             .time = "7 ns"})
                                          .samples;
  expect_magnitudes(
      samples, [](double f) { return thick_iris(a / 2, 4e-3, f); }, 0.02);
}

/// A round post of a radius in the middle, from one broad wall to the other: on it E_y = 0 of the TE10 wave and of line
/// currents within it, each of which makes in the guide, with gamma_n as above,
///
///   sum_n sin(n pi x/a) sin(n pi x'/a) exp(-gamma_n |z - z'|) / (a gamma_n);
///
/// summed where n pi/a is in the place of gamma_n, that is a logarithm, and the rest converges (method of auxiliary
/// sources).
Matrix round_post(double radius, double frequency) {
  constexpr int lines = 24, modes = 60;
  const double k = 2 * pi * frequency / c_0, beta = std::sqrt(k * k - pi * pi / (a * a));
  const auto place = [&](int i, double r) {
    const double phi = 2 * pi * i / lines;
    return std::array{a / 2 + r * std::cos(phi), r * std::sin(phi)};
  };
  const auto line_field = [&](const std::array<double, 2>& at, const std::array<double, 2>& from) {
    const double t = pi * std::abs(at[1] - from[1]) / a;
    const auto log_sum = [&](double u) {
      return -0.5 * std::log(1 - 2 * std::exp(-t) * std::cos(u) + std::exp(-2 * t));
    };
    Complex sum = (log_sum(pi * (at[0] - from[0]) / a) - log_sum(pi * (at[0] + from[0]) / a)) / (2 * pi);
    for (int n = 1; n <= modes; ++n) {
      const Complex gamma = n == 1 ? j * beta : std::sqrt(Complex(std::pow(n * pi / a, 2) - k * k));
      sum += std::sin(n * pi * at[0] / a) * std::sin(n * pi * from[0] / a) *
             (std::exp(-gamma * std::abs(at[1] - from[1])) / (a * gamma) - std::exp(-n * t) / (n * pi));
    }
    return sum;
  };
  const auto wave = [&](const std::array<double, 2>& at, double sign) {
    return std::sin(pi * at[0] / a) * std::exp(sign * j * beta * at[1]);
  };
  Eigen::MatrixXcd field(lines, lines);
  Eigen::VectorXcd incident(lines), ahead(lines), back(lines);
  for (int i = 0; i < lines; ++i) {
    incident(i) = wave(place(i, radius), -1);
    back(i) = wave(place(i, radius / 2), -1) / (j * beta * a);
    ahead(i) = wave(place(i, radius / 2), 1) / (j * beta * a);
    for (int l = 0; l < lines; ++l) field(i, l) = line_field(place(i, radius), place(l, radius / 2));
  }
  const Eigen::VectorXcd currents = field.partialPivLu().solve(-incident);
  const Complex reflected = currents.cwiseProduct(back).sum(), through = 1.0 + currents.cwiseProduct(ahead).sum();
  Matrix S;
  S << reflected, through, through, reflected;
  return S;
}

/// A thin post is a shunt reactance of
///
///   (a / 2 lambda_g) (ln(4 a / pi d) - 2 + 2 sum_{n = 3, 5 ...} (1 / sqrt(n^2 - (2 a / lambda)^2) - 1/n))
///
/// (Marcuvitz, section 5.11: the leading term).
TEST(Waveguide, line_currents_tend_to_marcuvitz_for_a_thin_post) {
  for (const double frequency : {8.5e9, 12e9}) {
    const double radius = a / 1000, k = 2 * pi * frequency / c_0;
    double sum = std::log(2 * a / (pi * radius)) - 2;
    for (int n = 3; n < 10001; n += 2) sum += 2 / std::sqrt(n * n - std::pow(k * a / pi, 2)) - 2.0 / n;
    const double X = std::sqrt(k * k - pi * pi / (a * a)) * a / (4 * pi) * sum;
    const Matrix S = round_post(radius, frequency);
    EXPECT_NEAR(std::abs(S(1, 0)), 2 * X / std::hypot(1, 2 * X), 1e-4);
    EXPECT_NEAR(std::norm(S(0, 0)) + std::norm(S(1, 0)), 1, 1e-9);
  }
}

TEST(Waveguide, round_inductive_post) {
  constexpr double length = 38.1e-3, radius = 2e-3, cell = a / 6;
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {a, b, length}, .cells = {6, 1, 10}});
  const auto from_axis = [](const dg::Point& p) { return std::array{p[0] - a / 2, p[2] - length / 2}; };
  remove_cells(mesh, [&](const dg::Point& c) {
    const auto [x, z] = from_axis(c);
    return std::max(std::abs(x), std::abs(z)) < cell;
  });
  const double corner = radius * std::sqrt(pi / (2 * std::numbers::sqrt2));  // of an octagon as large as the circle
  for (dg::Point& p : mesh.vertices) {
    const auto [x, z] = from_axis(p);
    if (std::max(std::abs(x), std::abs(z)) > 1.01 * cell) continue;
    const double shrink = corner / std::hypot(x, z);
    p = {a / 2 + shrink * x, p[1], length / 2 + shrink * z};
  }
  expect_magnitudes(
      scattering_parameters({.mesh = mesh,
                             .materials = "{region: '*', epsilon_r: 1}",
                             .mode = "te10",
                             .band = te10_band,
                             .pulse = te10_pulse,
                             .time = "4.8 ns",
                             .order = 2})
          .samples,
      [](double f) { return round_post(radius, f); }, 0.02);
}

}  // namespace
}  // namespace maxwell_dg::testing
