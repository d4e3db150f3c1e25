#include <cmath>

#include <gtest/gtest.h>

#include "dg/maxwell/waveform_band.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

double value(const Waveform& waveform, double t) {
  return symbolic::evaluate(value_at(waveform, symbolic::time()), {}, t);
}

const Waveform gaussian{.kind = Waveform::Kind::gaussian_pulse, .frequency = 2, .bandwidth = 1.5, .amplitude = -3};
const Waveform wavelet{.kind = Waveform::Kind::ricker, .frequency = 2, .amplitude = 3};
const Waveform tone{.kind = Waveform::Kind::sine, .frequency = 2, .amplitude = 3, .start = 0.4};

TEST(Waveform, lies_below_its_envelope_and_touches_it) {
  for (const Waveform& w : {gaussian, wavelet, tone}) {
    double nearest = 0;
    for (double t = 0.4; t < 6; t += 1e-3) {
      EXPECT_LE(std::abs(value(w, t)), envelope_at(w, t) * (1 + 1e-12) + 1e-12) << t;
      if (envelope_at(w, t) > 1) nearest = std::max(nearest, std::abs(value(w, t)) / envelope_at(w, t));
    }
    EXPECT_GT(nearest, 0.99);
  }
}

TEST(Waveform, envelope_does_not_vanish_where_the_carrier_passes_through_zero) {
  Waveform pulse = gaussian;
  pulse.delay = 0;
  EXPECT_EQ(value(pulse, 0), 0);
  EXPECT_DOUBLE_EQ(envelope_at(pulse, 0), 3);
}

TEST(Waveform, is_negligible_after_its_end_and_a_sine_steady) {
  for (const Waveform& w : {gaussian, wavelet}) {
    for (double t = end_of(w); t < end_of(w) + 2; t += 1e-2) EXPECT_LT(std::abs(value(w, t)), 3e-6);
    EXPECT_LT(envelope_at(w, 0), 2e-3 * 3) << "the automatic delay starts from nothing";
  }
  EXPECT_NEAR(envelope_at(tone, end_of(tone)), 3, 1e-12);
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
