#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/reference/gauss_legendre.hpp"
#include "dg/time/runge_kutta.hpp"
#include "tests/convergence/test_run.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// Frequencies of round cavities on Gmsh's curved meshes, of the semi-discrete operator, against values that come from
/// no mesh. Geometry of twice the order of the fields, as far as there is.
namespace maxwell_dg::dg {
namespace {

using Complex = std::complex<double>;

// --- exact frequencies ----------------------------------------------------------------------------------------------

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
  /// H at a place, of any size.
  [[nodiscard]] Point H(double w, const Point& x) const {
    const double r = std::max(length(x), 1e-6), k = w * std::sqrt(epsilon_inside);
    const double f = r <= inner ? psi(k * r) : f_beyond(w, r) * psi(k * inner) / f_beyond(w, inner);
    return {-x[1] * f / (r * r), x[0] * f / (r * r), 0};
  }
};

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

/// A part of a cavity, whose wall and electric planes are metal.
struct Cavity {
  std::string script;                                        ///< Gmsh's, of radius 1
  std::vector<std::size_t> magnetic;                         ///< axes of planes at 0
  std::function<double(const Point& farthest)> epsilon_r{};  ///< by the vertex of an element that is farthest out
  std::function<Point(const Point&x)> E{}, H{};              ///< of the mode; one of them
  double omega{};
};

/// Of elements of this size; each cut into eight so many times, new vertices on the surfaces.
struct Elements {
  double size;
  int refinements = 0;
};

Mesh mesh_of(const Cavity& cavity, int order, const Elements& elements) {
  const TemporaryDirectory directory;
  const std::string size = std::to_string(elements.size);
  std::string refinement;
  for (int i = 0; i < elements.refinements; ++i) refinement += "RefineMesh;\n";
  write_file_atomically(directory / "cavity.geo", "SetFactory(\"OpenCASCADE\");\n" + cavity.script +
                                                      "Mesh.MeshSizeMin = " + size + ";\nMesh.MeshSizeMax = " + size +
                                                      ";\nMesh 3;\n" + refinement);
  return read_mesh(directory / "cavity.geo", {.order = order});
}

/// R(z), by which a step multiplies what q' = (z / dt) q.
Complex amplification(const RungeKutta& method, Complex z) {
  Complex q = 1, res = 0;
  for (std::size_t s = 0; s < method.a.size(); ++s) {
    res = method.a[s] * res + z * q;
    q += method.b[s] * res;
  }
  return q;
}

/// The eigenvalue of an operator whose solution is multiplied by this factor in a step: the error of the time steps is
/// taken out.
Complex eigenvalue_of_factor(const RungeKutta& method, Complex factor, double dt) {
  Complex z = std::log(factor);
  for (int i = 0; i < 20; ++i) {
    const double h = 1e-6;
    const Complex slope = (amplification(method, z + h) - amplification(method, z - h)) / (2 * h);
    z -= (amplification(method, z) - factor) / slope;
  }
  return z / dt;
}

/// The relative error of the mode's frequency, of the semi-discrete operator.
double error_of(const Cavity& cavity, int N, const Mesh& mesh) {
  const auto conditions = [&](const Discretization& d, Problem& problem) {
    for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
      const auto& face = d.connectivity.boundary_faces[b];
      const auto& corners = face_vertices.at(static_cast<std::size_t>(face.face));
      for (const std::size_t axis : cavity.magnetic) {
        const bool lies_there = std::ranges::all_of(corners, [&](std::size_t corner) {
          return std::abs(d.mesh.vertices[index(d.mesh.cells[index(face.cell)].at(corner))].at(axis)) < 1e-9;
        });
        if (lies_there) problem.boundary[b] = problem.system.find_boundary("pmc");
      }
    }
    for (std::size_t k = 0; cavity.epsilon_r && k < d.K(); ++k) {
      Point farthest{};
      for (const std::int32_t v : d.mesh.cells[k]) {
        const Point& x = d.mesh.vertices[index(v)];
        if (length(x) > length(farthest)) farthest = x;
      }
      problem.parameters[0][k] = cavity.epsilon_r(farthest);
    }
  };
  TestRun run({.mesh = mesh, .N = N, .system = maxwell::system({.alpha = 1.0}), .extend = conditions});
  std::vector<double> state = run.nodal([&](const Point& x, const Point&, std::span<double> fields) {
    std::ranges::fill(fields, 0.0);
    const Point value = cavity.E ? cavity.E(x) : cavity.H(x);
    std::ranges::copy(value, fields.begin() + (cavity.E ? 0 : 3));
  });
  std::vector<double> weighted(state.size());
  ReferenceOperator(run.discretization(), run.op().problem()).apply_energy_matrix(state, weighted);
  run.op().set_state(state);
  const RungeKutta& method = lsrk54();
  constexpr int samples_a_period = 12;
  const int samples = N < 4 ? 24 : 10;  // what it begins with has more of other modes at low orders
  const double sample = 2 * std::numbers::pi / cavity.omega / samples_a_period;
  const auto steps = static_cast<int>(std::ceil(sample / (0.9 * run.stable_step())));
  const double dt = sample / steps;
  Eigen::VectorXd signal(samples);
  for (int i = 0; i < samples; ++i) {
    signal(i) = std::inner_product(state.begin(), state.end(), weighted.begin(), 0.0);
    for (int step = 0; step < steps; ++step) run.op().step({method.a, method.b, method.c}, dt, 0);
    run.op().get_state(state);
  }
  // All other modes are orthogonal to the one that it begins with, nearly: s_{n+2} = 2 Re(m) s_{n+1} - |m|^2 s_n.
  Eigen::MatrixXd before(samples - 2, 2);
  before << signal.segment(1, samples - 2), -signal.head(samples - 2);
  const Eigen::Vector2d recurrence = before.colPivHouseholderQr().solve(signal.tail(samples - 2));
  const double real = recurrence(0) / 2;
  const Complex factor_of_sample(real, std::sqrt(std::max(0.0, recurrence(1) - real * real)));
  const Complex eigenvalue = eigenvalue_of_factor(method, std::pow(factor_of_sample, 1.0 / steps), dt);
  EXPECT_LE(eigenvalue.real(), 1e-9) << "upwind fluxes lose energy";
  return std::abs(eigenvalue.imag() / cavity.omega - 1);
}

Cavity layered_ball(const LayeredBall& ball) {
  const double omega = ball.omega();
  const bool is_layered = ball.epsilon_inside != ball.epsilon_beyond;
  return {.script = is_layered
                        ? "Sphere(1) = {0, 0, 0, 1, 0, Pi/2, Pi/2};\nSphere(2) = {0, 0, 0, 0.5, 0, Pi/2, Pi/2};\n"
                          "BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }\n"
                        : "Sphere(1) = {0, 0, 0, 1, 0, Pi/2, Pi/2};\n",
          .magnetic = {0, 1},
          .epsilon_r =
              [ball](const Point& farthest) {
                return length(farthest) < ball.inner + 1e-6 ? ball.epsilon_inside : ball.epsilon_beyond;
              },
          .H = [ball, omega](const Point& x) { return ball.H(omega, x); },
          .omega = omega};
}

Cavity cylinder() {
  const double k = root_between([](double x) { return std::cyl_bessel_j(0.0, x); }, 2, 3);  // TM_010
  return {.script = "Cylinder(1) = {0, 0, 0, 0, 0, 0.7, 1, Pi/2};\n",
          .magnetic = {0, 1},
          .E =
              [k](const Point& x) {
                return Point{0, 0, std::cyl_bessel_j(0.0, k * std::hypot(x[0], x[1]))};
              },
          .omega = k};
}

Cavity torus() {
  const Torus mode(2);
  return {.script = "Torus(1) = {0, 0, 0, 2, 1, Pi/6};\n",
          .magnetic = {},
          .E = [mode](const Point& x) { return mode.E(x); },
          .omega = mode.omega()};
}

class Eigenfrequency : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  }
  static void expect_rates(const std::string& name, const Cavity& cavity, const std::vector<int>& orders, double size) {
    for (const int N : orders) {
      const auto error = [&](int refinements) {
        return error_of(cavity, N, mesh_of(cavity, geometry_order(N), {size, refinements}));
      };
      // An error may have another sign on coarse meshes, and be close to 0 on one of them: the other one then tells.
      const double coarse = error(0), middle = error(1), fine = error(2);
      const double seen = std::max(rate(coarse, fine, 4), rate(middle, fine));
      report_rate(name + "_N" + std::to_string(N), seen, fine);
      EXPECT_GT(seen, 2 * N - 0.5) << name << ", order " << N << ": " << coarse << ", " << middle << " and " << fine;
    }
  }
  static void expect_below(const std::string& name, const Cavity& cavity, int N, double size, double bound) {
    expect_below(name, cavity, N, mesh_of(cavity, geometry_order(N), {size}), bound);
  }
  static void expect_below(const std::string& name, const Cavity& cavity, int N, const Mesh& mesh, double bound) {
    const double error = error_of(cavity, N, mesh);
    ::testing::Test::RecordProperty(name + "_N" + std::to_string(N), std::to_string(error * 1e12) + "e-12");
    EXPECT_LT(error, bound) << name << ", order " << N;
  }
};

TEST_F(Eigenfrequency, exact_values_are_those_of_tables) {
  EXPECT_NEAR(LayeredBall{}.omega(), 2.7437072699922694, 1e-12);
  EXPECT_NEAR(cylinder().omega, 2.404825557695773, 1e-12);
  EXPECT_NEAR(Torus(2, 14).omega(), Torus(2, 18).omega(), 1e-11);
  EXPECT_NEAR(Torus(1e4).omega(), 2.404825557695773, 1e-8);  // of a straight tube
}

TEST_F(Eigenfrequency, of_a_ball_converges_with_twice_the_order) {
  expect_rates("ball", layered_ball({}), {1, 2, 3}, 0.8);
}

TEST_F(Eigenfrequency, of_a_ball_is_right_to_1e_minus_8_at_orders_5_and_6) {
  expect_below("ball", layered_ball({}), 4, 0.6, 1e-6);
  const Mesh mesh = mesh_of(layered_ball({}), geometry_order(5), {0.5});
  for (const int N : {5, 6}) expect_below("ball", layered_ball({}), N, mesh, 1e-8);
}

TEST_F(Eigenfrequency, of_a_loaded_and_a_coated_ball_converges_with_twice_the_order) {
  const Cavity loaded = layered_ball({.epsilon_inside = 4}), coated = layered_ball({.epsilon_beyond = 4});
  expect_rates("loaded", loaded, {1, 2, 3}, 0.7);
  expect_rates("coated", coated, {1, 2, 3}, 0.7);
}

TEST_F(Eigenfrequency, of_a_loaded_and_a_coated_ball_is_right_to_1e_minus_8_at_orders_5_and_6) {
  const Cavity loaded = layered_ball({.epsilon_inside = 4}), coated = layered_ball({.epsilon_beyond = 4});
  const Mesh mesh = mesh_of(loaded, geometry_order(5), {0.35});
  for (const int N : {4, 5, 6}) {
    expect_below("loaded", loaded, N, mesh, N == 4 ? 1e-6 : 1e-8);
    expect_below("coated", coated, N, mesh, N == 4 ? 1e-6 : 1e-8);
  }
}

TEST_F(Eigenfrequency, of_a_cylinder_converges_with_twice_the_order) {
  expect_rates("cylinder", cylinder(), {1, 2, 3}, 1.2);
}

TEST_F(Eigenfrequency, of_a_cylinder_and_a_torus_is_right_to_1e_minus_8_at_orders_5_and_6) {
  for (const auto& [name, cavity, size] :
       {std::tuple{"cylinder", cylinder(), 0.8}, std::tuple{"torus", torus(), 0.7}}) {
    const Mesh mesh = mesh_of(cavity, geometry_order(5), {size});
    for (const int N : {4, 5, 6}) expect_below(name, cavity, N, mesh, N == 4 ? 1e-6 : 1e-8);
  }
}

TEST_F(Eigenfrequency, of_a_torus_converges_with_twice_the_order) {
  expect_rates("torus", torus(), {1, 2}, 0.8);
}

}  // namespace
}  // namespace maxwell_dg::dg
