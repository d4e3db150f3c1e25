#include "dg/maxwell/far_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/reference/triangle_quadrature.hpp"
#include "tests/support/curved_mesh.hpp"

namespace maxwell_dg::dg {
namespace {

using Complex = std::complex<double>;
using Vector = Eigen::Vector3d;
using ComplexVector = Eigen::Vector3cd;
using std::numbers::pi;

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

/// Without conjugation, which Eigen's has.
ComplexVector cross(const ComplexVector& a, const ComplexVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// An oscillating dipole (Jackson, Classical Electrodynamics, 3rd ed., 9.18), in units with epsilon_0 = mu_0 = 1 and
/// for exp(+j omega t): conjugated.
struct Dipole {
  Vector at;
  ComplexVector moment;
  double k;

  [[nodiscard]] std::array<ComplexVector, 2> fields(const Vector& x) const {
    const double r = (x - at).norm();
    const ComplexVector n = ((x - at) / r).cast<Complex>();
    const Complex j(0, 1), wave = std::exp(-j * k * r) / (4 * pi * r);
    const ComplexVector np = cross(n, moment);
    const Complex along = n.conjugate().dot(moment);
    return {wave * (k * k * cross(np, n) + (3.0 * along * n - moment) * (1.0 / (r * r) + j * k / r)),
            k * k * wave * (1.0 + 1.0 / (j * k * r)) * np};
  }
  [[nodiscard]] ComplexVector far(const Vector& r) const {
    const ComplexVector n = r.cast<Complex>();
    return k * k / (4 * pi) * std::polar(1.0, k * r.dot(at)) * cross(cross(n, moment), n);
  }
  [[nodiscard]] double power() const { return std::pow(k, 4) * moment.squaredNorm() / (12 * pi); }
};

/// A dipole's exact fields on the faces of a cube in a mesh of tetrahedra.
class FarFieldOfADipole : public ::testing::Test {
 protected:
  static constexpr double k = 3.0;

  struct Surface {
    Discretization d;
    std::vector<ElementFace> faces;
    std::vector<Complex> traces;
  };
  /// `bent`: the faces are those of a cube that was bent, by a map of order 4.
  static Surface surface(int N, const Dipole& dipole, bool bent = false) {
    Mesh mesh = make_box({.min = {-1, -1, -1}, .max = {1, 1, 1}, .cells = {4, 4, 4}});
    std::vector<bool> enclosed;
    for (const auto& cell : mesh.cells) {
      const Point c = centroid(mesh, cell);
      enclosed.push_back(std::max({std::abs(c[0]), std::abs(c[1]), std::abs(c[2])}) < 0.5);
    }
    if (bent) curve(mesh, 4, testing::waves(0.06));
    Surface s{.d = Discretization(std::move(mesh), N)};
    s.faces = enclosing_surface(s.d.connectivity, enclosed);
    const auto Nfp = static_cast<std::size_t>(s.d.Nfp());
    s.traces.resize(s.faces.size() * 6 * Nfp);
    for (std::size_t f = 0; f < s.faces.size(); ++f) {
      for (std::size_t i = 0; i < Nfp; ++i) {
        const int node = s.d.reference.Fmask(static_cast<int>(i), s.faces[f].face);
        const auto [E, H] = dipole.fields(Vector(s.d.node(s.faces[f].element, node).data()));
        for (std::size_t c = 0; c < 6; ++c) {
          s.traces[(f * 6 + c) * Nfp + i] = c < 3 ? E[static_cast<int>(c)] : H[static_cast<int>(c) - 3];
        }
      }
    }
    return s;
  }
  static std::vector<maxwell::Direction> directions() {
    std::vector<maxwell::Direction> all;
    for (double theta = 0; theta <= pi; theta += pi / 6) {
      for (const double phi : {-2.0, 0.3, 1.0}) all.push_back({theta, phi});
    }
    return all;
  }
  /// Largest deviation over all directions, over the largest field.
  static double error(int N, const Dipole& dipole, const Dipole& expected, bool bent = false) {
    const Surface s = surface(N, dipole, bent);
    const auto found = maxwell::far_field(s.d, s.faces, k, s.traces, directions());
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

TEST_F(FarFieldOfADipole, converges_on_curved_faces_as_on_plane_ones) {
  EXPECT_LT(error(4, inside_, inside_, true), 4e-3);
  EXPECT_LT(error(8, inside_, inside_, true), 5e-5);
  const Surface s = surface(8, inside_, true);
  EXPECT_NEAR(maxwell::radiated_power(s.d, s.faces, k, s.traces) / inside_.power(), 1, 1e-4);
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
  for (const auto& [E_theta, E_phi] : maxwell::far_field(s.d, s.faces, low, s.traces, directions())) {
    EXPECT_LT(std::abs(E_theta) + std::abs(E_phi), 1e-7 * low);
  }
}

TEST_F(FarFieldOfADipole, vanishes_for_one_outside_of_the_surface) {
  Dipole outside = inside_;
  outside.at = {1.2, 0.3, -0.4};
  const Surface s = surface(8, outside);
  double largest = 0;
  for (const auto& [E_theta, E_phi] : maxwell::far_field(s.d, s.faces, k, s.traces, directions())) {
    largest = std::max({largest, std::abs(E_theta), std::abs(E_phi)});
  }
  EXPECT_LT(largest, 1e-4 * inside_.far({0, 1, 0}).norm());
  EXPECT_NEAR(maxwell::radiated_power(s.d, s.faces, k, s.traces), 0, 1e-4 * inside_.power());
}

TEST_F(FarFieldOfADipole, carries_the_power_that_theory_says) {
  const Surface s = surface(8, inside_);
  EXPECT_NEAR(maxwell::radiated_power(s.d, s.faces, k, s.traces) / inside_.power(), 1, 1e-4);
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
  const auto expected = maxwell::far_field(whole.d, whole.faces, k, whole.traces, directions());
  const auto found = maxwell::far_field(half.d, half.faces, k, half.traces, directions(), around);
  const double size = in_plane.far({0, 1, 0}).norm();
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_LT(std::abs(found[i].E_theta - expected[i].E_theta), 3e-5 * size);
    EXPECT_LT(std::abs(found[i].E_phi - expected[i].E_phi), 3e-5 * size);
  }
  EXPECT_NEAR(maxwell::radiated_power(half.d, half.faces, k, half.traces, around) / in_plane.power(), 1, 1e-4);
}

TEST_F(FarFieldOfADipole, needs_traces_of_all_fields) {
  const Surface s = surface(2, inside_);
  const std::span<const Complex> too_few(s.traces.data(), s.traces.size() - 1);
  EXPECT_THROW(static_cast<void>(maxwell::far_field(s.d, s.faces, k, too_few, directions())), std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
