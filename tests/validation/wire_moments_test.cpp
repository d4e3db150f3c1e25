#include "tests/validation/wire_moments.hpp"

#include <cmath>
#include <complex>

#include <gtest/gtest.h>

namespace maxwell_dg::testing {
namespace {

using Complex = std::complex<double>;

/// Twice as many unknowns change the impedance of the shipped dipole (meshes/dipole.geo) by less than a thousandth.
TEST(WireMoments, converge) {
  constexpr TubeDipole dipole{.half = 0.228, .radius = 0.01, .gap = 0.02};
  const Complex fine = impedance_of(dipole, 300e6, 40);
  EXPECT_LT(std::abs(impedance_of(dipole, 300e6, 20) - fine), 1e-3 * std::abs(fine));
}

/// A half-wave dipole without thickness has 73.1 + j 42.5 ohm (C. A. Balanis, Antenna Theory, section 4.6). That of a
/// tube of the radius a differs in proportion to 1 / (2 ln(length / a)) where a is small: by 9.2, 6.3 and 4.8 % for
/// 1e-4, 1e-5 and 1e-6 wavelengths, which is its thickness and no error. Two radii are extrapolated; what is left falls
/// with them, too: it is 2.1 % here, and 1.2 % with radii of a tenth of these.
TEST(WireMoments, of_ever_thinner_tubes_lead_to_the_dipole_without_thickness) {
  constexpr double half = 0.25, thick = 1e-5, thin = 1e-6;
  const auto thickness = [](double radius) { return 1 / (2 * std::log(2 * half / radius)); };
  const auto impedance = [](double radius) {
    return impedance_of({.half = half, .radius = radius, .gap = 0.02}, 299792458.0);
  };
  const Complex of_thick = impedance(thick), of_thin = impedance(thin);
  const Complex slope = (of_thick - of_thin) / (thickness(thick) - thickness(thin));
  const Complex limit = of_thin - slope * thickness(thin), exact(73.1, 42.5);
  EXPECT_LT(std::abs(limit - exact), 0.03 * std::abs(exact)) << limit;
}

}  // namespace
}  // namespace maxwell_dg::testing
