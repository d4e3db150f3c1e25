#include <string>

#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// The cavity, driven, with an output in the frequency domain that cannot be.
class BadFrequency : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_vtk) GTEST_SKIP() << "this build has no VTK";
  }
  Outcome run(const std::string& waveform, const std::string& output) {
    return run_cavity(directory_.path(),
                      {"--set",
                       "sources=[{type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0], waveform: {" +
                           waveform + "}, injection: {type: scattered_field}}]",
                       "--set", output});
  }
  const TemporaryDirectory directory_;
};

TEST_F(BadFrequency, outside_of_a_pulse) {
  expect_error(
      run("type: gaussian_pulse, frequency: 0.5, bandwidth: 0.2", "outputs.frequency_fields={frequencies: [0.5, 3]}"),
      2,
      "outputs.frequency_fields.frequencies.1: 3 is not in the first source, whose spectrum is below -60 dB "
      "there; it peaks at 0.5");
}

TEST_F(BadFrequency, another_than_that_of_a_sine) {
  expect_error(run("type: sine, frequency: 2", "outputs.frequency_fields={frequencies: [2.1]}"), 2,
               "outputs.frequency_fields.frequencies.0: 2.1 is not in the first source, a sine of 2");
}

TEST_F(BadFrequency, a_sine_of_too_few_periods) {
  expect_error(run("type: sine, frequency: 0.5", "outputs.frequency_fields={frequencies: [0.5]}"), 2,
               "outputs.frequency_fields.frequencies: the tone of a sine needs a run of two periods or more");
}

}  // namespace
}  // namespace maxwell_dg::testing
