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
  Outcome run(const std::vector<std::string>& assignments = {}, const std::string& option = "--quiet") {
    dg::write_mesh(mesh_of_plate_line(), directory_ / "line.h5");
    std::vector<std::string> arguments = with_set(assignments);
    arguments.push_back(option);
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

/// [port][port driven] of a line of impedance Z and the length 1, whose far terminals have the rest of the line,
/// matched, across them, for one reference of both terminals: by its chain matrix.
std::array<std::array<Complex, 2>, 2> scattering_of_line(double Z, double frequency, double reference) {
  const double phase = 2 * M_PI * frequency;
  const Complex j(0, 1), across = j * Z * std::sin(phase), along = j * std::sin(phase) / Z;
  const Complex A = std::cos(phase) + across / Z, B = across, C = along + std::cos(phase) / Z, D = std::cos(phase);
  const Complex b = B / reference, c = C * reference, sum = A + b + c + D;
  return {{{(A + b - c - D) / sum, 2.0 * (A * D - B * C) / sum}, {2.0 / sum, (-A + b - c + D) / sum}}};
}

/// Whatever the ports' own resistances: S of their terminals for the one that is asked for.
TEST_F(LumpedPort, may_have_another_reference) {
  constexpr double Z = 0.5, reference = 0.7;
  const Outcome outcome = run({"outputs.s_parameters.reference=0.7", "sources.0.ports=\"*\"", "ports.0.impedance=0.8"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string file = content_of(directory_ / "out/s_parameters.s2p"), options = "# Hz S RI R 0.7\n";
  ASSERT_NE(file.find(options), std::string::npos) << file;
  EXPECT_NE(file.find("the reference of all ports is one impedance, below"), std::string::npos) << file;
  std::istringstream rows(file.substr(file.find(options) + options.size()));
  for (const double frequency : {0.3, 0.4, 0.5}) {
    std::array<double, 9> row{};  // frequency S11 S21 S12 S22
    for (double& value : row) rows >> value;
    EXPECT_NEAR(row[0], frequency, 1e-12);
    const auto expected = scattering_of_line(Z, frequency, reference);
    for (const std::size_t i : {0U, 1U}) {
      for (const std::size_t k : {0U, 1U}) {
        const std::size_t at = 1 + 2 * i + 4 * k;
        EXPECT_LT(std::abs(Complex(row.at(at), row.at(at + 1)) - expected.at(i).at(k)), 1e-3)
            << "S" << i + 1 << k + 1 << " at " << frequency;
      }
    }
    if (frequency < 0.5) {
      EXPECT_GT(std::abs(expected[0][0] - expected[1][1]), 0.1) << "which tells the ports apart";
    }
  }
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

/// Tangential E vanishes on metal, and the field of a film runs along those of its edges that meet neither conductor.
TEST_F(LumpedPort, meets_no_metal_but_its_conductors) {
  const std::string remedy =
      "metal that is neither `from` nor `to` and shorts the field along it: leave a gap between them, let a magnetic "
      "wall (pmc) end it there, or give the metal the name of the conductor whose part it is";
  const std::string at_the_side = "' has an edge near (0.15, 0, -1) on 'y_min', " + remedy;
  // Beside a film on the outside, and beside one between elements.
  const std::string side = "boundaries.0.region=[x_min, x_max, y_min]", other = "boundaries.1.region=y_max";
  expect_error(run({side, other}), 2, "ports.0.boundary: 'z_min" + at_the_side);
  expect_error(run({"ports=[{name: middle, type: lumped, boundary: gap, impedance: 2, from: x_max, to: x_min}]",
                    "boundaries.2.region=[z_min, z_max]", side, other}),
               2, "ports.0.boundary: 'gap' has an edge near (0.15, 0, 0) on 'y_min', " + remedy);
  expect_error(run({"boundaries.0={region: [x_min, x_max], type: pec}",
                    "boundaries.1={region: [y_min, y_max], type: impedance, impedance: 0.1}"}),
               2, "ports.0.boundary: 'z_min" + at_the_side);
  expect_error(
      run({"symmetry=[{plane: y, kind: electric}]", other}), 2,
      "ports.0.boundary: 'z_min' has an edge near (0.15, 0, -1) in the electric plane of symmetry y = 0, which "
      "shorts the field along it: only a magnetic plane may cut it");
  // Thin metal that begins at the rim of a film across half of the line.
  const std::string half = "ports.1.boundary=half", fin = "boundaries.0.region=[x_min, x_max, ";
  expect_error(run({half, fin + "at_half]"}), 2,
               "ports.1.boundary: 'half' has an edge near (0.15, 0.3, 0.25) on 'at_half', " + remedy);
  for (const char* elsewhere : {"touching_half]", "behind_half]"}) {
    const Outcome outcome = run({half, fin + elsewhere}, "--check");
    EXPECT_EQ(outcome.exit_code, 0) << elsewhere << outcome.err;
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
