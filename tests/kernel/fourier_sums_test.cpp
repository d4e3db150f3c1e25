#include "dg/operator/fourier_sums.hpp"

#include <algorithm>
#include <complex>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/operator/operator.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

namespace maxwell_dg::dg {
namespace {

using Complex = std::complex<double>;

struct FourierCase {
  std::string schedule;  // "default", or a name
  Dtype precision;
};

std::ostream& operator<<(std::ostream& out, const FourierCase& c) {
  return out << c.schedule << "_" << name_of(c.precision);
}

/// Sums of random states on a mesh whose elements fill no whole number of blocks.
class FourierSumsTest : public ::testing::TestWithParam<FourierCase> {
 protected:
  [[nodiscard]] Operator::Options options() const {
    const auto [schedule, precision] = GetParam();
    Operator::Options result{.precision = precision};
    if (schedule != "default") result.schedule = Schedule::named(schedule);
    return result;
  }
  /// What every sample adds to each frequency.
  [[nodiscard]] Complex weight(std::size_t sample, double f) const {
    return weights_[sample] * std::polar(1.0, -2 * std::numbers::pi * f * times_[sample]);
  }

  std::shared_ptr<const Discretization> d_ = std::make_shared<Discretization>(testing::random_mesh(37), 2);
  Operator op_{maxwell_dg::testing::test_compiler(), d_, testing::random_problem(acoustics::system(), *d_), options()};
  const double bound_ = GetParam().precision == Dtype::float32 ? 1e-6 : 1e-14;
  // Late: a phase in single precision would be wrong by hundredths.
  const std::vector<double> times_{1e4 + 0.25, 1e4 + 0.5, 1e4 + 1.1}, weights_{0.3, 1.0, -0.7};
  const std::vector<double> frequencies_{0.7, 3.1, 0.2, 1.6, 2.3, 0.9, 2.8};  // more than the kernel takes at a time
  const std::vector<int> fields_{0, 2, 3};
};

TEST_P(FourierSumsTest, of_every_node_and_of_faces_equal_sums_on_the_host) {
  const std::vector<ElementFace> faces{{0, 2}, {36, 1}, {17, 0}, {17, 3}};
  const auto everywhere = op_.sum_fourier({.frequencies = frequencies_, .fields = fields_});
  const auto on_faces = op_.sum_fourier({.frequencies = frequencies_, .fields = fields_, .faces = faces});
  std::vector<std::vector<double>> states;
  for (std::size_t sample = 0; sample < times_.size(); ++sample) {
    op_.set_state(testing::random_values(op_.dofs(), static_cast<unsigned>(sample + 1)));
    op_.get_state(states.emplace_back(op_.dofs()));
    everywhere->add(times_[sample], weights_[sample]);
    on_faces->add(times_[sample], weights_[sample]);
  }
  const std::size_t Np = 10, Nfp = 6;
  for (std::size_t j = 0; j < frequencies_.size(); ++j) {
    const auto expected = [&](std::size_t k, std::size_t field, std::size_t n) {
      Complex sum;
      for (std::size_t s = 0; s < states.size(); ++s) {
        sum += weight(s, frequencies_[j]) * states[s][(k * 4 + static_cast<std::size_t>(fields_[field])) * Np + n];
      }
      return sum;
    };
    const std::vector<Complex> found = everywhere->get(j), traces = on_faces->get(j);
    ASSERT_EQ(found.size(), 37 * 3 * Np);
    ASSERT_EQ(traces.size(), faces.size() * 3 * Nfp);
    EXPECT_EQ(everywhere->get_own(j), found) << "one rank has all";
    double worst = 0;
    for (std::size_t k = 0; k < 37; ++k) {
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t n = 0; n < Np; ++n) {
          worst = std::max(worst, std::abs(found[(k * 3 + i) * Np + n] - expected(k, i, n)));
        }
      }
    }
    for (std::size_t face = 0; face < faces.size(); ++face) {
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t n = 0; n < Nfp; ++n) {
          const auto node = static_cast<std::size_t>(d_->reference.Fmask(static_cast<int>(n), faces[face].face));
          worst = std::max(worst, std::abs(traces[(face * 3 + i) * Nfp + n] - expected(faces[face].element, i, node)));
        }
      }
    }
    EXPECT_LT(worst, bound_ + 1e-10) << "frequency " << j;  // 1e-10: rounding of 2 pi f t
  }
}

TEST_P(FourierSumsTest, a_checkpoint_keeps_them_without_padding) {
  const std::vector<ElementFace> faces{{0, 2}, {36, 1}, {17, 0}};
  for (const FourierSelection& selection :
       {FourierSelection{.frequencies = frequencies_, .fields = fields_},
        FourierSelection{.frequencies = frequencies_, .fields = fields_, .faces = faces}}) {
    const auto sums = op_.sum_fourier(selection), loaded = op_.sum_fourier(selection);
    op_.set_state(testing::random_values(op_.dofs(), 1));
    sums->add(times_[0], weights_[0]);
    Archive archive;
    sums->save("sums", archive);
    loaded->load("sums", archive);

    const std::vector<double> kept = archive.reals("sums");
    const std::size_t things = selection.faces ? faces.size() : 37, nodes = selection.faces ? 6 : 10;
    ASSERT_EQ(kept.size(), frequencies_.size() * 2 * 3 * things * nodes);
    for (std::size_t j = 0; j < frequencies_.size(); ++j) {
      const std::vector<Complex> expected = sums->get(j);
      EXPECT_TRUE(loaded->get(j) == expected) << "frequency " << j;
      for (std::size_t place = 0; place < expected.size(); ++place) {
        const std::size_t n = place % nodes, i = place / nodes % 3, thing = place / nodes / 3;
        const auto part = [&](std::size_t p) { return kept[(((j * 2 + p) * 3 + i) * things + thing) * nodes + n]; };
        ASSERT_EQ(Complex(part(0), part(1)), expected[place]) << "frequency " << j << ", place " << place;
      }
    }
  }
}

TEST_P(FourierSumsTest, holds_what_the_forecast_says) {
  const core::Device device = maxwell_dg::testing::test_compiler().device();
  const std::size_t before = device.allocated_bytes();
  const auto sums = op_.sum_fourier({.frequencies = frequencies_, .fields = fields_});
  const auto held = static_cast<double>(device.allocated_bytes() - before);
  const auto forecast =
      static_cast<double>(FourierSums::forecast_bytes(37 * 10, 3, frequencies_.size(), GetParam().precision));
  EXPECT_GE(held, forecast);
  EXPECT_LT(held, 1.3 * forecast + 512) << "a block's padding and small arrays";
}

TEST_P(FourierSumsTest, a_frequency_that_is_not_summed_is_refused) {
  const auto sums = op_.sum_fourier({.frequencies = frequencies_, .fields = fields_});
  EXPECT_THROW((void)sums->get(frequencies_.size()), std::out_of_range);
}

INSTANTIATE_TEST_SUITE_P(All, FourierSumsTest,
                         ::testing::Values(FourierCase{"default", Dtype::float32},
                                           FourierCase{"default", Dtype::float64},
                                           FourierCase{"nodes_pad4_b3_v4_s4", Dtype::float64},
                                           FourierCase{"nodes_pad1_v4_s4_together", Dtype::float64},
                                           FourierCase{"tiles_e16_w1_r1", Dtype::float32}),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace maxwell_dg::dg
