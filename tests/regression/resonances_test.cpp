#include <cmath>
#include <complex>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// A box with conducting walls and a conducting filling rings at w^2 = k^2 - (sigma / 2)^2 with Q = w / sigma.
constexpr double sigma = 0.05;
const char* const box = R"(units: normalized
mesh: {box: {min: [0, 0, 0], max: [1, 1.1, 1.2], cells: [2, 2, 2]}}
solver: {order: 5, precision: double}
time: {end: 36}
materials: [{region: "*", sigma: 0.05}]
boundaries: [{region: "*", type: pec}]
sources:
  - {type: dipole, at: [0.31, 0.37, 0.41], moment: [0.3, 0.5, 1],
     waveform: {type: gaussian_pulse, frequency: 0.8, bandwidth: 0.8}}
outputs:
  probes: [{name: p, at: [0.22, 0.61, 0.83]}]
  resonances: {from: 0.55, to: 0.9, start: 9}
)";

/// How many of the modes (1, 1, 0) and (1, 1, 1), with wave number k, ring as `expected` says: w and Q.
template <class Expected>
int found_modes(const std::string& table, const Expected& expected, double bound_of_q) {
  std::istringstream rows(table);
  std::string line;
  std::getline(rows, line);
  EXPECT_EQ(line, "probe,field,frequency,q,amplitude,error,doubtful");
  int found = 0;
  while (std::getline(rows, line)) {
    std::istringstream cells(line);
    std::string probe, field, frequency, q;
    for (std::string* cell : {&probe, &field, &frequency, &q}) std::getline(cells, *cell, ',');
    for (const double n : {0.0, 1.0}) {
      const auto [w, Q] = expected(M_PI * std::sqrt(1 + 1 / 1.21 + n * n / 1.44));
      if (std::abs(2 * M_PI * std::stod(frequency) / w - 1) > 1e-3) continue;
      EXPECT_NEAR(std::stod(q), Q, bound_of_q * Q) << line;
      EXPECT_TRUE(line.ends_with(",0")) << line;
      ++found;
    }
  }
  return found;
}

TEST(Resonances, of_a_box_with_a_conducting_filling_are_exact) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_config(directory.path(), box, {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto expected = [](double k) {
    const double w = std::sqrt(k * k - sigma * sigma / 4);
    return std::pair(w, w / sigma);
  };
  const std::string table = content_of(directory / "out/resonances.csv");
  EXPECT_EQ(found_modes(table, expected, 0.02), 2) << table;
}

/// k^2 = w^2 epsilon(w), and epsilon ~ (j w)^(-2 delta / pi) has the loss tangent tan(delta) at all frequencies.
TEST(Resonances, of_a_box_with_a_loss_tangent_are_those_of_the_causal_medium_that_has_it) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_config(
      directory.path(), box,
      {"--set", R"(materials=[{region: "*", epsilon_r: 2.2, loss_tangent: {value: 0.03, from: 0.3, to: 0.9}}])",
       "--set", "outputs.resonances={from: 0.4, to: 0.6, start: 16}", "--set", "time.end=60", "--set",
       "sources.0.waveform={type: gaussian_pulse, frequency: 0.5, bandwidth: 0.6}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("loss tangent of '*': 0.03 within "), std::string::npos) << outcome.err;
  const auto expected = [](double k) {
    const double exponent = -2 / M_PI * std::atan(0.03), at = 2 * M_PI * std::sqrt(0.3 * 0.9);
    const double scale = 2.2 / std::pow(std::complex(0.0, 1.0), exponent).real();
    std::complex<double> w = k / std::sqrt(2.2);
    for (int i = 0; i < 50; ++i) {
      w = k / std::sqrt(scale * std::pow(std::complex(0.0, 1.0) * w / at, exponent));
    }
    return std::pair(w.real(), w.real() / (2 * w.imag()));
  };
  const std::string table = content_of(directory / "out/resonances.csv");
  EXPECT_EQ(found_modes(table, expected, 0.004), 2) << table;
}

TEST(Resonances, that_the_box_does_not_have_are_marked_as_doubtful) {
  const TemporaryDirectory directory;
  const Outcome outcome =
      run_config(directory.path(), box, {"--quiet", "--set", "materials.0.sigma=0", "--set", "time.end=60"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::istringstream rows(content_of(directory / "out/resonances.csv"));
  std::string line;
  std::getline(rows, line);
  int modes = 0, artefacts = 0;
  while (std::getline(rows, line)) {
    std::istringstream cells(line);
    std::string probe, field, frequency;
    for (std::string* cell : {&probe, &field, &frequency}) std::getline(cells, *cell, ',');
    bool is_mode = false;
    for (int l = 0; l < 3; ++l) {
      for (int m = 0; m < 3; ++m) {
        for (int n = 0; n < 3; ++n) {
          const double exact = std::sqrt(l * l + m * m / 1.21 + n * n / 1.44) / 2;
          if ((l > 0) + (m > 0) + (n > 0) >= 2) is_mode |= std::abs(std::stod(frequency) / exact - 1) < 1e-3;
        }
      }
    }
    (is_mode ? modes : artefacts) += 1;
    if (!is_mode) {
      EXPECT_TRUE(line.ends_with(",1")) << line;
    }
  }
  EXPECT_GE(modes, 2);
  EXPECT_GE(artefacts, 1) << "nothing was tested: " << content_of(directory / "out/resonances.csv");
}

TEST(Resonances, of_a_signal_too_short_for_the_band_are_refused_before_the_run) {
  const TemporaryDirectory directory;
  for (const std::string mode : {"--check", "--quiet"}) {
    expect_error(run_config(directory.path(), box, {mode, "--set", "time.end=20"}), 2,
                 "outputs.resonances: the signals last 11 from start to the end of the run, and 14.");
  }
  expect_error(run_config(directory.path(), box, {"--check", "--set", "outputs.resonances.start=50"}), 2,
               "outputs.resonances: the signals last 0 from start to the end of the run");
  EXPECT_FALSE(std::filesystem::exists(directory / "out/resonances.csv"));
}

TEST(Resonances, of_signals_that_are_still_driven_are_warned_of) {
  const TemporaryDirectory directory;
  const auto said = [&](const std::string& assignment) {
    return run_config(directory.path(), box, {"--check", "--set", assignment}).err;
  };
  EXPECT_EQ(said("time.end=36").find("outputs.resonances"), std::string::npos);
  EXPECT_NE(
      said("outputs.resonances.start=4").find("outputs.resonances.start: sources.0 drives the fields until 9.392"),
      std::string::npos)
      << said("outputs.resonances.start=4");
  EXPECT_NE(said("sources.0.waveform={type: sine, frequency: 0.8}").find("sources.0 is a sine, which never ends"),
            std::string::npos);
}

}  // namespace
}  // namespace maxwell_dg::testing
