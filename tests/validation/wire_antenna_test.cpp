#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dg/observe/files/csv_table.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"
#include "tests/validation/wire_moments.hpp"

/// The shipped antennas of tubes against the method of moments.
namespace maxwell_dg::testing {
namespace {

using Complex = std::complex<double>;

constexpr TubeDipole dipole{.half = 0.228, .radius = 0.01, .gap = 0.02};  // meshes/dipole.geo

class WireAntennas : public ::testing::Test {
 protected:
  /// Runs a shipped config.
  void run(const std::string& name) {
    if (!has_gmsh) GTEST_SKIP() << "this build has no Gmsh";
    const auto config = std::filesystem::path(MAXWELL_DG_SOURCE_DIR) / "configs" / (name + ".yaml");
    const Outcome outcome =
        run_program({config.string(), "--quiet", "--output", (directory_ / "out").string()}, directory_.path());
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  /// [frequency] with the input impedance, by the Touchstone file.
  [[nodiscard]] std::vector<std::pair<double, Complex>> impedances() const {
    std::istringstream file(content_of(directory_ / "out/s_parameters.s1p"));
    std::vector<std::pair<double, Complex>> result;
    double reference = 0;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      if (line.starts_with("# Hz S RI R ")) reference = std::stod(line.substr(12));
      if (line.starts_with('!') || line.starts_with('#')) continue;
      double frequency = 0, real = 0, imaginary = 0;
      words >> frequency >> real >> imaginary;
      const Complex S(real, imaginary);
      result.emplace_back(frequency, reference * (1.0 + S) / (1.0 - S));
    }
    return result;
  }
  /// Within 10 % of resonance, of a part of the dipole.
  void expect_moments(double part) const {
    const auto found = impedances();
    ASSERT_EQ(found.size(), 17U);
    double resonance = 0, before = -1;
    std::vector<Complex> wanted;
    for (const auto& [frequency, Z] : found) {
      wanted.push_back(part * impedance_of(dipole, frequency));
      if (before < 0 && wanted.back().imag() >= 0) resonance = frequency;
      before = wanted.back().imag();
    }
    EXPECT_NEAR(resonance, 300e6, 5e6);
    EXPECT_LE(found.front().first, 0.9 * resonance);
    EXPECT_GE(found.back().first, 1.1 * resonance);
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double error = std::abs(found[i].second - wanted[i]) / std::abs(wanted[i]);
      EXPECT_LT(error, 0.02) << found[i].first << ": " << found[i].second << " ohm, moments " << wanted[i];
      largest = std::max(largest, error);
    }
    RecordProperty("largest_error", std::to_string(largest));
  }
  /// Neither loses anything, and both have the lobe of half a sine, 1.64 without thickness. What the PML reflects is in
  /// the accepted power to first order and in the pattern not at all.
  void expect_radiation(double directivity) const {
    const dg::Table antenna = dg::read_csv(directory_ / "out/antenna.csv");
    ASSERT_EQ(antenna.rows(), 3U);
    for (std::size_t i = 0; i < antenna.rows(); ++i) {
      EXPECT_NEAR(antenna.column("radiation_efficiency")[i], 1, 1e-3);
      EXPECT_NEAR(std::pow(10, antenna.column("directivity_dbi")[i] / 10) / directivity, 1, 0.03);
      EXPECT_NEAR(antenna.column("theta_deg")[i], 90, 0.5);
      EXPECT_LT(antenna.column("phi_deg")[i], 1) << "as strong all around";
    }
  }

 private:
  const TemporaryDirectory directory_;
};

TEST_F(WireAntennas, dipole_has_the_impedance_of_the_method_of_moments_to_2_percent) {
  run("dipole");
  if (IsSkipped() || HasFatalFailure()) return;
  expect_moments(1);
  expect_radiation(1.64);
}

TEST_F(WireAntennas, monopole_has_half_the_impedance_of_the_dipole_and_twice_its_directivity) {
  run("monopole");
  if (IsSkipped() || HasFatalFailure()) return;
  expect_moments(0.5);
  expect_radiation(3.28);
}

}  // namespace
}  // namespace maxwell_dg::testing
