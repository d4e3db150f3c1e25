#include <array>
#include <cmath>
#include <complex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/mesh/mesh.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/regression/plate_line.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

const std::string line_config =
    config_of_plate_line("  - {name: middle, type: lumped, boundary: gap, impedance: 2, from: x_max, to: x_min}\n", 3);

using Complex = std::complex<double>;

class LumpedPort : public ::testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& assignments = {}) {
    dg::write_mesh(mesh_of_plate_line(), directory_ / "line.h5");
    std::vector<std::string> arguments = with_set(assignments);
    arguments.emplace_back("--quiet");
    return run_config(directory_.path(), line_config, arguments);
  }
  /// b of `port` over a of `driven` from port_waves.csv, [frequency].
  [[nodiscard]] std::vector<Complex> ratio(double driven, double port) const {
    const dg::Table waves = dg::read_csv(directory_ / "out/port_waves.csv");
    std::vector<Complex> result;
    for (std::size_t i = 0; i < waves.column("frequency").size(); ++i) {
      if (waves.column("driven")[i] != driven || waves.column("port")[i] != port) continue;
      result.emplace_back(waves.column("b_re")[i], waves.column("b_im")[i]);
    }
    return result;
  }
  /// The impedance of each port in port_waves.csv, in all rows the same.
  void expect_impedances(const std::array<double, 2>& of_ports) const {
    const dg::Table waves = dg::read_csv(directory_ / "out/port_waves.csv");
    for (std::size_t i = 0; i < waves.rows(); ++i) {
      const auto port = static_cast<std::size_t>(waves.column("port")[i]) - 1;
      EXPECT_DOUBLE_EQ(waves.column("impedance")[i], of_ports.at(port)) << "row " << i;
    }
  }
  const TemporaryDirectory directory_;
};

/// A line of impedance 0.5 (a plate as wide as it is high would have 1), matched at both ends, with 2 across its
/// middle.
TEST_F(LumpedPort, are_what_circuit_theory_says) {
  const Outcome outcome = run();
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  constexpr double Z = 0.5, R = 2;
  const double load = Z * R / (Z + R), reflected = (load - Z) / (load + Z);
  const double from_middle = (Z / 2 - R) / (Z / 2 + R);
  const double through = (1 + reflected) * std::sqrt(Z / R);
  const std::array frequencies{0.3, 0.4, 0.5};
  for (std::size_t f = 0; f < frequencies.size(); ++f) {
    const Complex delay = std::polar(1.0, -2 * M_PI * frequencies.at(f));
    EXPECT_LT(std::abs(ratio(1, 1)[f] - reflected * delay * delay), 1e-4) << f;
    EXPECT_LT(std::abs(ratio(2, 2)[f] - from_middle), 1e-4) << f;
    EXPECT_LT(std::abs(ratio(1, 2)[f] - through * delay), 1e-4) << f;
    EXPECT_LT(std::abs(ratio(2, 1)[f] - through * delay), 1e-4) << f;
  }
  expect_impedances({Z, R});  // not of a square of their films
}

TEST_F(LumpedPort, is_the_whole_one_where_a_magnetic_plane_cuts_it) {
  const Outcome outcome = run({"symmetry=[{plane: y, kind: magnetic}]", "boundaries.1.region=y_max",
                               "ports.0.impedance=0.25", "ports.1.impedance=1"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const double load = 0.25 / 1.25, reflected = (load - 0.25) / (load + 0.25);
  for (const Complex& b : ratio(1, 1)) EXPECT_NEAR(std::abs(b), std::abs(reflected), 1e-4);
  for (const Complex& b : ratio(2, 2)) EXPECT_NEAR(b.real(), (0.125 - 1) / (0.125 + 1), 1e-4);
  expect_impedances({0.25, 1});
}

TEST_F(LumpedPort, may_have_another_reference) {
  const Outcome outcome = run({"outputs.s_parameters.reference=1", "sources.0.ports=\"*\""});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string file = content_of(directory_ / "out/s_parameters.s2p");
  EXPECT_NE(file.find("# Hz S RI R 1\n"), std::string::npos) << file;
  EXPECT_NE(file.find("the reference of all ports is one impedance, below"), std::string::npos) << file;
  // The first row: frequency S11 S21 S12 S22; the middle port sees half of the line's impedance.
  std::istringstream row(file.substr(file.find("R 1\n") + 4));
  std::array<double, 9> values{};
  for (double& value : values) row >> value;
  EXPECT_NEAR(values[0], 0.3, 1e-12);
  EXPECT_GT(std::abs(Complex(values[7], values[8]) - ratio(2, 2)[0]), 0.1);
  const Complex through(values[3], values[4]), back(values[5], values[6]);
  EXPECT_LT(std::abs(through - back), 1e-3) << "with one reference a line is reciprocal";
}

/// The film and what is measured of it know the media beside it.
TEST_F(LumpedPort, may_touch_any_medium) {
  const Outcome outcome = run({"materials.0.epsilon_r=4", "ports.0.impedance=0.25"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const Complex& b : ratio(2, 2)) EXPECT_LT(std::abs(b - (0.125 - 2) / (0.125 + 2)), 1e-3);
}

TEST_F(LumpedPort, spans_the_gap_between_two_conductors) {
  expect_error(run({"ports.1.to=x_max"}), 2, "ports.1.to: is the conductor at the other end, too");
  expect_error(run({"ports.1.to=y_min"}), 2,
               "ports.1.to: 'y_min' is no conductor: give it a boundary of type pec or impedance");
  expect_error(run({"ports.1.to=nowhere"}), 2, "ports.1.to: the mesh has no surface 'nowhere'");
  expect_error(
      run({"ports.1.boundary=z_min"}), 2,
      "ports.1.boundary: 'z_min' is that of port 'end' already, and a lumped port shares its faces with no other");
  expect_error(run({"boundaries.2.type=pec", "ports.1.to=z_max"}), 2,
               "ports.1.boundary: 'gap' meets the conductor `from` along an edge near");
  expect_error(run({"boundaries.2={region: [z_min, z_max], type: pec}", "ports.0.to=z_max", "ports.0.boundary=y_min",
                    "boundaries.1.region=y_max"}),
               2, "ports.0.boundary: 'y_min' has its two conductors touch each other at");
  expect_error(run({"boundaries.1.region=[y_min, y_max, gap]"}), 2,
               "ports.1.boundary: 'gap' is already covered by boundaries.1");
}

}  // namespace
}  // namespace maxwell_dg::testing
