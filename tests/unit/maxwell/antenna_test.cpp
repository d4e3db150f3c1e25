#include "dg/maxwell/antenna.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "dg/reference/gauss_legendre.hpp"
#include "tests/unit/maxwell/radiating_dipoles.hpp"

/// What the far fields of dipoles amount to, against the textbook (Balanis, Antenna Theory, 4th ed. 2016).
namespace maxwell_dg::dg::testing {
namespace {

using dg::maxwell::Direction;
using dg::maxwell::FarField;
using dg::maxwell::MainLobe;
using dg::maxwell::Polarizations;
using dg::maxwell::RadiatingSurface;
using std::numbers::pi;

constexpr double degree = pi / 180;

/// The main lobe, with the directivity.
struct Found {
  MainLobe lobe;
  double directivity;
};
Found found(const std::vector<Dipole>& dipoles, const std::optional<dg::maxwell::Ground>& ground = {}) {
  const DipoleSurface s = dipole_surface(8, dipoles);
  const RadiatingSurface surface(s.d, s.faces, dipoles.front().k, s.traces, {.ground = ground});
  const dg::maxwell::FarSphere sphere = surface.sphere();
  const MainLobe lobe = main_lobe(surface, sphere);
  return {lobe, 4 * pi * lobe.intensity / surface.radiated_power(sphere)};
}

TEST(Antenna, of_a_point_dipole_has_directivity_1_5_and_a_beam_of_90_degrees) {
  const auto [lobe, directivity] = found({{{0, 0, 0}, {0, 0, 1}, 3.0}});
  EXPECT_NEAR(directivity, 1.5, 1e-4);
  EXPECT_NEAR(lobe.direction.theta, pi / 2, 1e-3);
  EXPECT_NEAR(lobe.intensity / lobe.backward.value(), 1, 1e-3);
  EXPECT_NEAR(lobe.width_E.value(), 90 * degree, 1e-3);
  EXPECT_FALSE(lobe.width_H) << "it radiates all around";
}

/// Where the maximum lies at none of the directions that were looked at first.
TEST(Antenna, main_lobe_is_found_in_any_direction) {
  // Two dipoles along y, half of a wave apart along `apart`: |cos(pi/2 sin(angle))|^2 across y, half of it at 30
  // degrees.
  constexpr double k = 2 * pi / 1.2, tilt = 0.4321;
  const Eigen::Vector3d apart(std::cos(tilt), 0, -std::sin(tilt));
  const MainLobe lobe = found({{0.3 * apart, {0, 1, 0}, k}, {-0.3 * apart, {0, 1, 0}, k}}).lobe;
  EXPECT_NEAR(lobe.direction.theta, tilt, 1e-3);
  EXPECT_NEAR(std::remainder(lobe.direction.phi, 2 * pi), 0, 1e-3);
  EXPECT_NEAR(lobe.width_H.value(), 60 * degree, 2e-3);
  EXPECT_NEAR(lobe.width_E.value(), 90 * degree, 2e-3);
}

TEST(Antenna, that_radiates_to_one_side_has_its_ratio_of_front_to_back) {
  // A quarter of a wave and of a period apart along z: |cos(pi/4 (1 - cos(angle)))|^2 across y, half of it at 90
  // degrees.
  constexpr double k = 2 * pi / 1.2;
  const std::complex<double> j(0, 1);
  const MainLobe lobe = found({{{0, 0, 0.15}, {0, 1, 0}, k}, {{0, 0, -0.15}, {0, j, 0}, k}}).lobe;
  EXPECT_LT(lobe.direction.theta, 0.05);
  EXPECT_GT(lobe.intensity, 1e4 * lobe.backward.value());
  EXPECT_NEAR(lobe.width_H.value(), pi, 1e-2);
}

TEST(Antenna, of_half_a_wave_has_directivity_1_64_and_a_beam_of_78_degrees) {
  constexpr double k = 2 * pi;  // 0.5 long
  const dg::GaussLegendre points = dg::GaussLegendre::make(24);
  std::vector<Dipole> current;
  for (Eigen::Index i = 0; i < points.x.size(); ++i) {
    const double z = points.x[i] / 4;
    current.push_back({{0, 0, z}, {0, 0, points.weights[i] * std::cos(k * z)}, k});
  }
  const auto [lobe, directivity] = found(current);
  EXPECT_NEAR(directivity, 1.6409, 1e-3);
  EXPECT_NEAR(lobe.width_E.value(), 78.08 * degree, 2e-3);
}

/// A monopole has half of the beam of the dipole, and twice its directivity.
TEST(Antenna, on_a_ground_radiates_into_half_of_space) {
  const auto [lobe, directivity] = found({{{0, 0, 0}, {0, 0, 1}, 3.0}}, dg::maxwell::Ground{.axis = 2});
  EXPECT_NEAR(directivity, 3, 1e-3);
  EXPECT_NEAR(lobe.direction.theta, pi / 2, 1e-3);
  EXPECT_FALSE(lobe.width_E) << "on one side is the ground";
}

TEST(Antenna, of_turning_dipoles_is_circular_by_the_hand_that_turns_along_the_wave) {
  const std::complex<double> j(0, 1);
  const Dipole turning{{0, 0, 0}, {1, -j, 0}, 3.0};  // x first, then y: right-handed about z
  for (const double theta : {0.0, 0.3, 1.0, 2.0}) {
    const Direction direction{theta, 0.7};
    const double st = std::sin(theta), ct = std::cos(theta), sp = std::sin(0.7), cp = std::cos(0.7);
    const ComplexVector E = turning.far({st * cp, st * sp, ct});
    const FarField field{ct * cp * E[0] + ct * sp * E[1] - st * E[2], -sp * E[0] + cp * E[1]};
    const Polarizations parts = polarizations(field, direction);
    EXPECT_NEAR(parts.axial_ratio, 1 / std::abs(ct), 1e-9);
    EXPECT_NEAR(std::norm(parts.right) + std::norm(parts.left), E.squaredNorm(), 1e-9);
    EXPECT_EQ(std::abs(parts.right) > std::abs(parts.left), theta < pi / 2);
  }
}

TEST(Antenna, of_huygens_has_no_cross_polarization_by_ludwigs_third_definition) {
  for (const double theta : {0.0, 0.5, 1.5, 2.5}) {
    for (const double phi : {0.0, 1.0, 4.0}) {
      const double size = 1 + std::cos(theta);
      const FarField along_x{size * std::cos(phi), -size * std::sin(phi)};
      const Polarizations parts = polarizations(along_x, {theta, phi});
      EXPECT_NEAR(std::abs(parts.co - size), 0, 1e-12);
      EXPECT_NEAR(std::abs(parts.cross), 0, 1e-12);
      // The same antenna turned: x to y, y to z, z to x.
      const double st = std::sin(theta), ct = std::cos(theta), sp = std::sin(phi), cp = std::cos(phi);
      const Eigen::Vector3d r(ct, st * cp, st * sp), e_theta(-st, ct * cp, ct * sp), e_phi(0, -sp, cp);
      const Eigen::Vector3d E = along_x.E_theta.real() * e_theta + along_x.E_phi.real() * e_phi;
      const Direction turned{std::acos(r[2]), std::atan2(r[1], r[0])};
      const double s = std::sin(turned.theta), c = std::cos(turned.theta);
      const Eigen::Vector3d t(c * std::cos(turned.phi), c * std::sin(turned.phi), -s);
      const Eigen::Vector3d p(-std::sin(turned.phi), std::cos(turned.phi), 0);
      const Polarizations there =
          polarizations({E.dot(t), E.dot(p)}, turned, {.boresight = {1, 0, 0}, .along = {0, 1, 0}});
      EXPECT_NEAR(std::abs(there.co - size), 0, 1e-9);
      EXPECT_NEAR(std::abs(there.cross), 0, 1e-9);
    }
  }
}

}  // namespace
}  // namespace maxwell_dg::dg::testing
