#include <cmath>

#include <gtest/gtest.h>

#include "tests/validation/duct.hpp"

/// What comes back from a layer of half a wavelength and four elements at order 4: by the energy that is left between
/// two such layers when the pulse should have gone; half of the duct, since the other half is the same.
namespace maxwell_dg::dg {
namespace {

double reflected_db(const Duct::Options& options, double duration) {
  Duct duct(options);
  const double before = duct.energy_between();
  duct.run().advance(duration, duct.run().stable_step());
  const double left = 10 * std::log10(duct.energy_between() / before);
  report_rate("reflected_db", left, left);
  return left;
}

TEST(Pml, reflects_less_than_60_dB_head_on) {
  EXPECT_LT(
      reflected_db(
          {.mode = Duct::Mode::tem, .length = 1.5, .layer = 0.5, .mirrored = true, .cell = 0.125, .pulse_at = 1.5}, 4),
      -60);
}

// A mode is two plane waves at an angle of asin(wavelength / (2 width)); of a long pulse nearly all is at that angle.
TEST(Pml, reflects_less_than_40_dB_at_60_degrees) {
  const double width = 0.5 / std::sin(M_PI / 3);
  const double along = 1 / std::cos(M_PI / 3);  // the wavelength along z
  EXPECT_LT(reflected_db({.mode = Duct::Mode::te,
                          .width = width,
                          .length = 4.5,
                          .layer = 0.5,
                          .mirrored = true,
                          .cell = 0.125,
                          .precision = Dtype::float32,
                          .pulse_at = 4.5,
                          .pulse_width = 2.0,
                          .wavelength = along},
                         24),
            -40);
}

}  // namespace
}  // namespace maxwell_dg::dg
