#include "dg/maxwell/loss_tangent.hpp"

#include <cmath>
#include <complex>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace maxwell_dg::dg::maxwell {
namespace {

/// By the formula of the poles (dispersion.hpp).
std::complex<double> epsilon(const LossyMedium& medium, double frequency) {
  std::complex<double> sum = medium.at_infinity;
  for (const Pole& pole : medium.poles)
    sum += pole.strength / (1.0 + std::complex(0.0, 2 * M_PI * frequency / pole.rate));
  return sum;
}

struct FittedCase {
  LossTangent wanted;
  std::size_t poles;
};

TEST(LossTangent, is_kept_in_all_of_the_band_by_few_poles) {
  for (const FittedCase& c : {FittedCase{{.value = 0.02, .from = 0.95e9, .to = 1.05e9, .at = 1e9}, 1},
                              FittedCase{{.value = 0.0004, .from = 1e9, .to = 2e9, .at = 1.4e9}, 2},
                              FittedCase{{.value = 0.02, .from = 1, .to = 10, .at = 3}, 2},
                              FittedCase{{.value = 0.02, .from = 0.1, .to = 10, .at = 10}, 4},
                              FittedCase{{.value = 0.3, .from = 1e8, .to = 1e11, .at = 1e8}, 5}}) {
    const LossyMedium medium = with_loss_tangent(c.wanted);
    const std::string where = std::to_string(c.wanted.value) + " to " + std::to_string(c.wanted.to);
    EXPECT_EQ(medium.poles.size(), c.poles) << where;
    for (const Pole& pole : medium.poles) EXPECT_GT(pole.strength, 0) << where;
    double largest = 0;
    for (int i = 0; i <= 1000; ++i) {
      const std::complex<double> value =
          epsilon(medium, c.wanted.from * std::pow(c.wanted.to / c.wanted.from, i / 1e3));
      largest = std::max(largest, std::abs(-value.imag() / value.real() / c.wanted.value - 1));
    }
    EXPECT_LE(largest, loss_tangent_error) << where;
    EXPECT_NEAR(largest, medium.error, 0.02 * medium.error) << where;
    EXPECT_NEAR(epsilon(medium, c.wanted.at).real(), 1, 1e-12) << where;
    EXPECT_NEAR(medium.real_part(c.wanted.to), epsilon(medium, c.wanted.to).real(), 1e-12) << where;
  }
}

/// (j f)^(-2 delta / pi) is the causal medium with this loss tangent at all frequencies.
TEST(LossTangent, comes_with_the_fall_of_the_real_part_that_causality_asks_for) {
  for (const double value : {0.001, 0.02, 0.1}) {
    const LossTangent wanted{.value = value, .from = 1, .to = 100, .at = 10};
    const LossyMedium medium = with_loss_tangent(wanted);
    const double exponent = -2 / M_PI * std::atan(value);
    for (const double f : {2.0, 5.0, 20.0, 50.0}) {
      const double change = medium.real_part(f) - 1, exact = std::pow(f / wanted.at, exponent) - 1;
      EXPECT_NEAR(change, exact, 0.1 * std::abs(exact)) << value << " " << f;
    }
  }
}

TEST(LossTangent, of_a_band_that_is_too_wide_is_refused) {
  EXPECT_THROW(with_loss_tangent({.value = 0.02, .from = 1, .to = 1e12, .at = 1}), std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
