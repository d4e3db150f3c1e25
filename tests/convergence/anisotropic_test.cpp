#include <cmath>
#include <numbers>
#include <string>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/medium.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "tests/convergence/test_run.hpp"

namespace maxwell_dg::dg {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// The mode (1, 1, 1) of highest frequency in a conducting unit cube with diagonal epsilon and mu:
///   E_x = A_x cos(k x) sin(k y) sin(k z) cos(omega t), H_x = h_x sin(k x) cos(k y) cos(k z) sin(omega t), cyclic,
/// k = pi. Maxwell's equations ask for -[k]x mu^-1 [k]x A = omega^2 epsilon A and h = -mu^-1 (k x A) / omega.
struct Mode {
  Vector3d epsilon{1.0, 2.0, 3.5}, mu{1.5, 1.0, 2.5};
  double omega{};
  Vector3d A, h;

  Mode() {
    const double k = std::numbers::pi;
    Matrix3d curl;
    curl << 0, -k, k, k, 0, -k, -k, k, 0;
    const Matrix3d stiffness = curl.transpose() * mu.cwiseInverse().asDiagonal() * curl;
    const Matrix3d mass = epsilon.asDiagonal();
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix3d> solver(stiffness, mass);
    omega = std::sqrt(solver.eigenvalues()[2]);
    A = solver.eigenvectors().col(2);
    h = -mu.cwiseInverse().cwiseProduct(curl * A) / omega;
  }
  void at(const Vector3d& x, double t, Vector3d& E, Vector3d& H) const {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      const auto s = [&](int axis) { return std::sin(std::numbers::pi * x[axis]); };
      const auto c = [&](int axis) { return std::cos(std::numbers::pi * x[axis]); };
      E[i] = A[i] * c(i) * s(j) * s(l) * std::cos(omega * t);
      H[i] = h[i] * s(i) * c(j) * c(l) * std::sin(omega * t);
    }
  }
};

/// Curves the cells of the unit cube; its surface stays.
void curve_inside(Mesh& mesh, int order) {
  curve(mesh, order, [](const Point& x) {
    const double bump = 0.05 * std::sin(std::numbers::pi * x[0]) * std::sin(std::numbers::pi * x[1]) *
                        std::sin(std::numbers::pi * x[2]);
    return Point{x[0] + bump, x[1] - 0.7 * bump, x[2] + 0.4 * bump};
  });
}

/// Error after a third of a period, everything (mesh, tensors, fields) turned by `turn`. `order`: of the maps of cells.
double error_of_mode(int N, int cells, const Matrix3d& turn, int order = 1) {
  const Mode mode;
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {cells, cells, cells}});
  if (order > 1) curve_inside(mesh, order);
  for (Point& p : mesh.vertices) Eigen::Map<Vector3d>(p.data()) = turn * Vector3d(p.data());
  const auto turned = [&](const Vector3d& diagonal) {
    return Matrix3d(turn * diagonal.asDiagonal() * turn.transpose());
  };
  std::vector<double> parameters = maxwell::anisotropic_parameters(turned(mode.epsilon), turned(mode.mu), 0.0);
  TestRun run({.mesh = std::move(mesh),
               .N = N,
               .system = maxwell::system({.anisotropic = true}),
               .materials = [&](const Point&) { return parameters; }});
  const auto at = [&](double t) {
    return [&mode, &turn, t](const Point& x, const Point&, std::span<double> fields) {
      Vector3d E, H;
      mode.at(turn.transpose() * Vector3d(x.data()), t, E, H);
      Eigen::Map<Vector3d>(fields.data()) = turn * E;
      Eigen::Map<Vector3d>(fields.data() + 3) = turn * H;
    };
  };
  const double duration = 2 * std::numbers::pi / mode.omega / 3;
  run.set(at(0));
  run.advance(duration, (N <= 3 ? 0.5 : 0.25) * run.stable_step());
  return run.error(at(duration));
}

const Matrix3d some_turn = Eigen::AngleAxisd(0.8, Vector3d(1, 2, -0.5).normalized()).toRotationMatrix();

TEST(Anisotropic, mode_of_a_cavity_with_diagonal_tensors_keeps_the_order) {
  for (int N = 1; N <= 4; ++N) {
    const int cells = N == 1 ? 4 : 2;
    const double coarse = error_of_mode(N, cells, Matrix3d::Identity()),
                 fine = error_of_mode(N, 2 * cells, Matrix3d::Identity());
    report_rate("N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), N + 0.5) << "order " << N << ": errors " << coarse << " and " << fine;
  }
}

TEST(Anisotropic, mode_of_a_cavity_keeps_the_order_in_curved_elements) {
  for (int N = 1; N <= 3; ++N) {
    const int cells = N == 1 ? 4 : 2;
    const double coarse = error_of_mode(N, cells, Matrix3d::Identity(), N + 1),
                 fine = error_of_mode(N, 2 * cells, Matrix3d::Identity(), N + 1);
    report_rate("curved_N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), N + 0.5) << "order " << N << ": errors " << coarse << " and " << fine;
  }
}

TEST(Anisotropic, turned_tensors_give_the_turned_solution) {
  for (const int N : {2, 3}) {
    const double straight = error_of_mode(N, 2, Matrix3d::Identity()), turned = error_of_mode(N, 2, some_turn);
    EXPECT_NEAR(turned / straight, 1, 1e-9) << "order " << N;
  }
}

TEST(Anisotropic, tensors_that_are_no_medium_are_refused) {
  Matrix3d tensor = Matrix3d::Identity();
  tensor(0, 1) = 0.5;
  EXPECT_THROW((void)maxwell::anisotropic_parameters(tensor, Matrix3d::Identity(), 0), std::invalid_argument);
  tensor(1, 0) = 0.5;
  EXPECT_NO_THROW((void)maxwell::anisotropic_parameters(Matrix3d::Identity(), tensor, 0));
  tensor(0, 1) = tensor(1, 0) = 1.5;  // an eigenvalue of -0.5
  EXPECT_THROW((void)maxwell::anisotropic_parameters(Matrix3d::Identity(), tensor, 0), std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
