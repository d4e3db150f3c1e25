#include <cmath>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/must_fail/app/program.hpp"
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

TEST(Resonances, of_a_box_with_a_conducting_filling_are_exact) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_config(directory.path(), box, {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::istringstream rows(content_of(directory / "out/resonances.csv"));
  std::string line;
  std::getline(rows, line);
  EXPECT_EQ(line, "probe,field,frequency,q,amplitude,error");
  int found = 0;
  while (std::getline(rows, line)) {
    std::istringstream cells(line);
    std::string probe, field, frequency, q;
    for (std::string* cell : {&probe, &field, &frequency, &q}) std::getline(cells, *cell, ',');
    // E_z rings in the modes (1, 1, n).
    for (const double n : {0.0, 1.0}) {
      const double k2 = M_PI * M_PI * (1 + 1 / 1.21 + n * n / 1.44);
      const double w = std::sqrt(k2 - sigma * sigma / 4);
      if (std::abs(2 * M_PI * std::stod(frequency) / w - 1) > 1e-3) continue;
      EXPECT_NEAR(std::stod(q), w / sigma, 0.02 * w / sigma) << line;
      ++found;
    }
  }
  EXPECT_EQ(found, 2) << content_of(directory / "out/resonances.csv");
}

}  // namespace
}  // namespace maxwell_dg::testing
