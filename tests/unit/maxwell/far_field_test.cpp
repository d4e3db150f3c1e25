#include "dg/maxwell/far_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <numbers>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "dg/reference/plane_wave_sums.hpp"
#include "dg/reference/triangle_quadrature.hpp"
#include "tests/unit/maxwell/radiating_dipoles.hpp"

namespace maxwell_dg::dg {
namespace {

using Complex = std::complex<double>;
using Vector = Eigen::Vector3d;
using std::numbers::pi;
using testing::ComplexVector;
using testing::Dipole;

TEST(TriangleQuadrature, integrates_polynomials_exactly) {
  // Integral of ((1 + r)/2)^a ((1 + s)/2)^b over the triangle: 4 a! b! / (a + b + 2)!.
  for (const int degree : {0, 1, 4, 7, 12}) {
    const TriangleQuadrature q = TriangleQuadrature::exact_to(degree);
    for (int a = 0; a <= degree; ++a) {
      const int b = degree - a;
      double sum = 0;
      for (std::size_t i = 0; i < q.r.size(); ++i) {
        sum += q.weights[i] * std::pow((1 + q.r[i]) / 2, a) * std::pow((1 + q.s[i]) / 2, b);
      }
      EXPECT_NEAR(sum / (4 * std::tgamma(a + 1) * std::tgamma(b + 1) / std::tgamma(a + b + 3)), 1, 1e-12);
    }
  }
}

/// Values of points times plane waves, one by one: [direction][value], real then imaginary parts.
Eigen::MatrixXd summed(const Eigen::Matrix3Xd& x, const Eigen::MatrixXd& values, const Eigen::Matrix3Xd& r) {
  const Eigen::MatrixXd angles = r.transpose() * x;
  const Eigen::Index half = values.cols() / 2;
  const Eigen::MatrixXcd waves = (Complex(0, 1) * angles).array().exp();
  const Eigen::MatrixXcd sums = waves * (values.leftCols(half) + Complex(0, 1) * values.rightCols(half));
  Eigen::MatrixXd result(r.cols(), values.cols());
  result << sums.real(), sums.imag();
  return result;
}

TEST(PlaneWaveSums, are_those_over_the_points_in_any_direction) {
  std::srand(1);
  for (const double radius : {0.0, 1e-6, 0.7, 9.0, 60.0}) {
    const Eigen::Index points = 300, directions = 150;  // more than are looked at together
    Eigen::Matrix3Xd x = Eigen::Matrix3Xd::Random(3, points) * (radius / std::sqrt(3.0)), r(3, directions);
    x.col(0).setZero();
    x.col(1) = Vector(0, 0, -radius);
    x.col(2) = Vector(radius, 0, 0);
    r.setRandom();
    r.colwise().normalize();
    r.col(0) = Vector(0, 0, 1);
    r.col(1) = Vector(0, 0, -1);
    r.col(2) = Vector(0, -1, 0);
    const Eigen::MatrixXd values = Eigen::MatrixXd::Random(points, 4);
    const PlaneWaveSums sums(x, values, PlaneWaveSums::order_within(radius));
    EXPECT_LT((sums.towards(r) - summed(x, values, r)).cwiseAbs().maxCoeff(), 1e-12 * values.norm()) << radius;
    // They need that many spherical waves, and hardly one less.
    if (radius < 1) continue;
    const PlaneWaveSums fewer(x, values, static_cast<int>(radius));
    EXPECT_GT((fewer.towards(r) - summed(x, values, r)).cwiseAbs().maxCoeff(), 1e-3 * values.norm()) << radius;
  }
}

/// A dipole's exact fields on the faces of a cube in a mesh of tetrahedra.
class FarFieldOfADipole : public ::testing::Test {
 protected:
  static constexpr double k = 3.0;

  using Surface = testing::DipoleSurface;
  static Surface surface(int N, const Dipole& dipole, bool bent = false) {
    return testing::dipole_surface(N, {dipole}, bent);
  }
  static std::vector<maxwell::Direction> directions() {
    std::vector<maxwell::Direction> all;
    for (double theta = 0; theta <= pi; theta += pi / 6) {
      for (const double phi : {-2.0, 0.3, 1.0}) all.push_back({theta, phi});
    }
    return all;
  }
  static double power(const Surface& s, const maxwell::Surroundings& around = {}) {
    const maxwell::RadiatingSurface surface(s.d, s.faces, k, s.traces, around);
    return surface.radiated_power(surface.sphere());
  }
  /// Largest deviation over all directions, over the largest field.
  static double error(int N, const Dipole& dipole, const Dipole& expected, bool bent = false) {
    const Surface s = surface(N, dipole, bent);
    const auto found = maxwell::RadiatingSurface(s.d, s.faces, k, s.traces).far_field(directions());
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto [theta, phi] = directions()[i];
      const Vector r(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
      const Vector e_theta(std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), -std::sin(theta));
      const Vector e_phi(-std::sin(phi), std::cos(phi), 0);
      const ComplexVector E = expected.far(r);
      worst = std::max({worst, std::abs(found[i].E_theta - e_theta.cast<Complex>().dot(E)),
                        std::abs(found[i].E_phi - e_phi.cast<Complex>().dot(E))});
      largest = std::max(largest, E.norm());
    }
    return worst / largest;
  }

  const Dipole inside_{{0.05, -0.1, 0.08}, {Complex(1, 0.5), Complex(-0.3, 0), Complex(0, 2)}, k};
};

TEST_F(FarFieldOfADipole, is_that_of_theory_in_size_phase_and_direction) {
  EXPECT_LT(error(4, inside_, inside_), 3e-3);
  EXPECT_LT(error(8, inside_, inside_), 3e-5);
}

TEST_F(FarFieldOfADipole, is_the_same_in_each_direction_by_itself_and_among_many) {
  const Surface s = surface(4, inside_);
  const maxwell::RadiatingSurface surface(s.d, s.faces, k, s.traces);
  std::vector<maxwell::FarField> one_by_one;
  for (const maxwell::Direction& direction : directions()) {
    one_by_one.push_back(surface.far_field(std::span(&direction, 1)).front());
  }
  std::vector<maxwell::Direction> many;
  for (int i = 0; i < 50; ++i) {
    for (const maxwell::Direction& direction : directions()) many.push_back(direction);
  }
  const auto found = surface.far_field(many);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [E_theta, E_phi] = one_by_one[i % one_by_one.size()];
    EXPECT_LT(std::abs(found[i].E_theta - E_theta) + std::abs(found[i].E_phi - E_phi),
              1e-12 * inside_.far({0, 1, 0}).norm());
  }
}

TEST_F(FarFieldOfADipole, converges_on_curved_faces_as_on_plane_ones) {
  EXPECT_LT(error(4, inside_, inside_, true), 4e-3);
  EXPECT_LT(error(8, inside_, inside_, true), 5e-5);
  const Surface s = surface(8, inside_, true);
  EXPECT_NEAR(power(s) / inside_.power(), 1, 1e-4);
}

/// A gradient, of components along the tangents that are polynomials as in a state: its current -n x E on a closed
/// surface has no mean, whatever the surface.
TEST_F(FarFieldOfADipole, takes_what_is_along_curved_faces_as_the_polynomials_that_it_is) {
  Surface s = surface(3, inside_, true);
  const auto Nfp = static_cast<std::size_t>(s.d.Nfp());
  for (std::size_t f = 0; f < s.faces.size(); ++f) {
    const std::size_t k = s.faces[f].element;
    const Eigen::Index Np = s.d.Np();
    Eigen::VectorXd potential(Np);
    for (int n = 0; n < s.d.Np(); ++n) {
      const Point x = s.d.node(k, n);
      potential(n) = std::sin(2 * x[0] + x[1]) * std::cos(3 * x[2] - x[0]);
    }
    const std::array<Eigen::VectorXd, 3> along{s.d.reference.Dr * potential, s.d.reference.Ds * potential,
                                               s.d.reference.Dt * potential};
    for (std::size_t i = 0; i < Nfp; ++i) {
      const int node = s.d.reference.Fmask(static_cast<int>(i), s.faces[f].face);
      const auto& gradients =
          s.d.curved->at_nodes[index(s.d.mesh.curved.number[k]) * static_cast<std::size_t>(Np) + index(node)];
      for (std::size_t c = 0; c < 3; ++c) {
        double E = 0;
        for (std::size_t a = 0; a < 3; ++a) E += along.at(a)(node) * gradients.at(3 * a + c);
        s.traces[(f * 6 + c) * Nfp + i] = E;
        s.traces[(f * 6 + 3 + c) * Nfp + i] = 0;
      }
    }
  }
  constexpr double low = 1e-8;
  for (const auto& [E_theta, E_phi] : maxwell::RadiatingSurface(s.d, s.faces, low, s.traces).far_field(directions())) {
    EXPECT_LT(std::abs(E_theta) + std::abs(E_phi), 1e-7 * low);
  }
}

TEST_F(FarFieldOfADipole, vanishes_for_one_outside_of_the_surface) {
  Dipole outside = inside_;
  outside.at = {1.2, 0.3, -0.4};
  const Surface s = surface(8, outside);
  double largest = 0;
  for (const auto& [E_theta, E_phi] : maxwell::RadiatingSurface(s.d, s.faces, k, s.traces).far_field(directions())) {
    largest = std::max({largest, std::abs(E_theta), std::abs(E_phi)});
  }
  EXPECT_LT(largest, 1e-4 * inside_.far({0, 1, 0}).norm());
  EXPECT_NEAR(power(s), 0, 1e-4 * inside_.power());
}

TEST_F(FarFieldOfADipole, carries_the_power_that_theory_says) {
  const Surface s = surface(8, inside_);
  EXPECT_NEAR(power(s) / inside_.power(), 1, 1e-4);
}

TEST_F(FarFieldOfADipole, is_that_of_half_the_surface_and_its_mirror_image) {
  using maxwell::SymmetryPlane;
  const Dipole in_plane{{0, 0.1, -0.05}, {Complex(1, 0.5), 0, 0}, k};  // along x, in x = 0
  const Surface whole = surface(8, in_plane);
  Surface half = surface(8, in_plane);
  const auto values = static_cast<std::size_t>(6 * half.d.Nfp());
  half.faces.clear();
  half.traces.clear();
  for (std::size_t f = 0; f < whole.faces.size(); ++f) {
    const auto [element, face] = whole.faces[f];
    if (half.d.node(element, half.d.reference.Fmask(half.d.Nfp() / 2, face))[0] < 0) continue;
    half.faces.push_back(whole.faces[f]);
    half.traces.insert(half.traces.end(), &whole.traces[f * values], &whole.traces[f * values] + values);
  }
  ASSERT_EQ(2 * half.faces.size(), whole.faces.size());
  const SymmetryPlane plane{.axis = 0, .kind = SymmetryPlane::Kind::electric};
  const maxwell::Surroundings around{.images = maxwell::mirror_images(std::span(&plane, 1))};
  const auto expected = maxwell::RadiatingSurface(whole.d, whole.faces, k, whole.traces).far_field(directions());
  const auto found = maxwell::RadiatingSurface(half.d, half.faces, k, half.traces, around).far_field(directions());
  const double size = in_plane.far({0, 1, 0}).norm();
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_LT(std::abs(found[i].E_theta - expected[i].E_theta), 3e-5 * size);
    EXPECT_LT(std::abs(found[i].E_phi - expected[i].E_phi), 3e-5 * size);
  }
  EXPECT_NEAR(power(half, around) / in_plane.power(), 1, 1e-4);
}

/// Its image has the charges reversed: p along the ground changes its sign.
TEST_F(FarFieldOfADipole, over_a_ground_is_that_of_the_dipole_and_its_image) {
  for (const double side : {1.0, -1.0}) {
    const maxwell::Ground ground{.axis = 1, .at = -0.9 * side, .side = side};
    const Dipole image{{inside_.at[0], 2 * ground.at - inside_.at[1], inside_.at[2]},
                       {-inside_.moment[0], inside_.moment[1], -inside_.moment[2]},
                       k};
    const Surface s = surface(8, inside_);
    const maxwell::RadiatingSurface radiating(s.d, s.faces, k, s.traces, {.ground = ground});
    const auto found = radiating.far_field(directions());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto [theta, phi] = directions()[i];
      const Vector r(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
      const bool is_above = side * r[1] > 0;
      const double size = std::hypot(std::abs(found[i].E_theta), std::abs(found[i].E_phi));
      if (std::abs(r[1]) < 1e-6) continue;
      EXPECT_NEAR(size, is_above ? (inside_.far(r) + image.far(r)).norm() : 0, 1e-3);
    }
    const auto sphere = radiating.sphere();
    double power = 0;
    for (std::size_t i = 0; i < sphere.fields.size(); ++i) {
      const auto [theta, phi] = sphere.directions[i];
      const Vector r(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
      if (side * r[1] > 0) power += sphere.weights[i] * (inside_.far(r) + image.far(r)).squaredNorm() / 2;
    }
    EXPECT_NEAR(radiating.radiated_power(sphere) / power, 1, 0.02) << "half of the sphere, counted by its directions";
  }
}

TEST_F(FarFieldOfADipole, needs_traces_of_all_fields) {
  const Surface s = surface(2, inside_);
  const std::span<const Complex> too_few(s.traces.data(), s.traces.size() - 1);
  EXPECT_THROW(maxwell::RadiatingSurface(s.d, s.faces, k, too_few), std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
