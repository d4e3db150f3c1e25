#include "dg/observe/frequency_fields.hpp"

#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "core/log.hpp"
#include "dg/acoustics/acoustics.hpp"
#include "dg/observe/files/file_sink.hpp"
#include "dg/observe/files/vtk_data.hpp"
#include "dg/operator/operator.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::dg {
namespace {

using Complex = std::complex<double>;

/// States that swing in known ways, with no equations solved: q(t) = sin(3 t) a + cos(5 t) b at all nodes.
class FrequencyDomain : public ::testing::Test {
 protected:
  static constexpr double dt = 0.1, frequency = 0.4;
  static constexpr long steps = 40;

  template <class TheObserver>
  void swing(TheObserver& observe, long until = steps) {
    std::vector<double> q(op_.dofs());
    for (long step = 0; step <= until; ++step) {
      const double t = dt * static_cast<double>(step);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] = std::sin(3 * t) * a_[i] + std::cos(5 * t) * b_[i];
      op_.set_state(q);
      observe(Moment{step, t});
    }
  }
  /// Of a function of t, by the sampling.
  template <class Signal>
  [[nodiscard]] Complex transform(const Signal& signal) const {
    Complex sum;
    for (long step = 0; step <= steps; ++step) {
      const double t = dt * static_cast<double>(step);
      sum += sampling_.weight(step) * signal(t) * std::polar(1.0, -2 * std::numbers::pi * frequency * t);
    }
    return sum;
  }
  /// Of the states.
  [[nodiscard]] std::vector<Complex> expected() const {
    const Complex of_a = transform([](double t) { return std::sin(3 * t); });
    const Complex of_b = transform([](double t) { return std::cos(5 * t); });
    std::vector<Complex> result;
    for (std::size_t i = 0; i < a_.size(); ++i) result.push_back(of_a * a_[i] + of_b * b_[i]);
    return result;
  }

  const FourierSampling sampling_{.dt = dt, .steps = steps, .every = 4};
  std::shared_ptr<const Discretization> d_ = std::make_shared<Discretization>(testing::random_mesh(13), 2);
  Operator op_{maxwell_dg::testing::test_compiler(), d_, testing::random_problem(acoustics::system(), *d_), {}};
  std::vector<double> a_ = testing::random_values(op_.dofs(), 1), b_ = testing::random_values(op_.dofs(), 2);
};

TEST_F(FrequencyDomain, a_transform_is_that_of_the_states_over_that_of_the_reference) {
  const symbolic::Expr reference = symbolic::sin(2.0 * symbolic::time());
  RunningTransform bare(op_, {.selection = {{frequency}, {0, 1, 2, 3}}, .sampling = sampling_});
  RunningTransform response(op_,
                            {.selection = {{frequency}, {0, 1, 2, 3}}, .sampling = sampling_, .reference = reference});
  const auto observe = [&](const Moment& now) {
    EXPECT_FALSE(bare.is_complete());
    bare.observe(now);
    response.observe(now);
  };
  swing(observe);
  EXPECT_TRUE(bare.is_complete());
  const std::vector<Complex> right = expected();
  const std::vector<Complex> found = bare.get(0), ratio = response.get(0);
  const Complex driving = transform([](double t) { return std::sin(2 * t); });
  for (std::size_t i = 0; i < right.size(); ++i) {
    EXPECT_NEAR(std::abs(found[i] - right[i]), 0, 1e-13);
    EXPECT_NEAR(std::abs(ratio[i] - right[i] / driving), 0, 1e-12);
  }
}

TEST_F(FrequencyDomain, files_hold_real_and_imaginary_parts_in_units_of_field_and_time) {
  const TemporaryDirectory directory;
  FileSink files(directory.path());
  const FileScaling scaling{.time = 2, .fields = {10, 1, 1, 1}};
  FrequencyFields fields(
      op_,
      {.sink = files, .quantities = {"u", "p"}, .frequencies = {frequency}, .sampling = sampling_, .scaling = scaling});
  RunningTransform transform(op_, {.selection = {{frequency}, {0, 1, 2, 3}}, .sampling = sampling_});
  const auto observe = [&](const Moment& now) {
    fields.observe(op_, now);
    transform.observe(now);
  };
  swing(observe);
  fields.finish(op_, {steps, steps * dt});
  EXPECT_EQ(fields.written(), 1u);

  const std::vector<Complex> sums = transform.get(0);
  std::vector<double> parts;  // [element][part][field][node]
  for (std::size_t k = 0; k < d_->K(); ++k) {
    for (std::size_t i = k * 40; i < (k + 1) * 40; ++i) parts.push_back(sums[i].real());
    for (std::size_t i = k * 40; i < (k + 1) * 40; ++i) parts.push_back(sums[i].imag());
  }
  VtkWriter writer(*d_, op_.precision(), cell_data(op_.problem(), scaling));
  writer.write(
      directory / "right.vtu", parts, 8,
      std::vector<VtkWriter::PointData>{
          {"u_re", {1, 2, 3}, {2, 2, 2}}, {"p_re", {0}, {20}}, {"u_im", {5, 6, 7}, {2, 2, 2}}, {"p_im", {4}, {20}}});
  EXPECT_TRUE(content_of(directory / "frequency_fields_000.vtu") == content_of(directory / "right.vtu"));
}

TEST_F(FrequencyDomain, a_run_that_ends_early_writes_none_and_says_so) {
  const TemporaryDirectory directory;
  FileSink files(directory.path());
  const WarningCollector warnings;
  FrequencyFields fields(op_, {.sink = files, .frequencies = {frequency}, .sampling = sampling_});
  const auto observe = [&](const Moment& now) { fields.observe(op_, now); };
  swing(observe, 7);
  fields.finish(op_, {7, 7 * dt});
  EXPECT_EQ(fields.written(), 0u);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
  ASSERT_EQ(warnings.warnings().size(), 1u);
  EXPECT_EQ(warnings.warnings()[0], "frequency_fields: not written, because the run ended early");
}

}  // namespace
}  // namespace maxwell_dg::dg
