#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/mesh/mesh.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/regression/plate_line.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

const std::string loaded_line = config_of_plate_line(
    "elements:\n"
    "  - {name: load, type: rlc, boundary: gap, from: x_max, to: x_min, resistance: 2}\n",
    5);

const char* const walls_alone = "boundaries=[{region: [x_min, x_max], type: pec}, {region: [y_min, y_max], type: pmc}]";

using Response = std::complex<double>;
using Admittance = std::function<Response(Response s)>;

class LumpedElement : public ::testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& assignments = {}, const std::vector<std::string>& more = {"--quiet"}) {
    dg::write_mesh(mesh_of_plate_line(), directory_ / "line.h5");
    std::vector<std::string> arguments = with_set(assignments);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_config(directory_.path(), loaded_line, arguments);
  }
  /// A line of impedance 0.5, matched at its end, with the element across its middle or, if `ends`, at its end instead.
  void expect_reflection(const std::string& element, const Admittance& Y, double bound, bool ends = false) {
    const std::string place = std::string("from: x_max, to: x_min, boundary: ") + (ends ? "z_max" : "gap");
    std::vector<std::string> assignments{"elements=[{name: load, " + place + ", " + element + "}]"};
    if (ends) assignments.emplace_back(walls_alone);
    const Outcome outcome = run(assignments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const dg::Table waves = dg::read_csv(directory_ / "out/port_waves.csv");
    constexpr double Z = 0.5;
    ASSERT_EQ(waves.column("frequency").size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
      const double f = waves.column("frequency")[i];
      const Response y = Z * Y({0, 2 * M_PI * f});
      const Response reflected = ends ? (1.0 - y) / (1.0 + y) : -y / (2.0 + y);
      const Response expected = reflected * std::polar(1.0, -2 * M_PI * f * (ends ? 4 : 2));
      const Response found{waves.column("b_re")[i], waves.column("b_im")[i]};
      EXPECT_LT(std::abs(found - expected), bound) << element << " at " << f << ": " << found << ", not " << expected;
    }
  }
  const TemporaryDirectory directory_;
};

TEST_F(LumpedElement, in_series_are_what_circuit_theory_says) {
  expect_reflection(
      "type: rlc, resistance: 2", [](Response) { return 0.5; }, 1e-3);
  expect_reflection(
      "type: rlc, inductance: 0.3", [](Response s) { return 1.0 / (0.3 * s); }, 1e-3);
  expect_reflection(
      "type: rlc, capacitance: 0.7", [](Response s) { return 0.7 * s; }, 1e-3);
  expect_reflection(
      "type: rlc, resistance: 0.1, inductance: 0.5, capacitance: 0.3",
      [](Response s) { return 1.0 / (0.1 + 0.5 * s + 1.0 / (0.3 * s)); }, 1e-3);
}

TEST_F(LumpedElement, in_parallel_are_what_circuit_theory_says) {
  expect_reflection(
      "type: rlc, topology: parallel, resistance: 3, inductance: 0.4, capacitance: 0.4",
      [](Response s) { return 1 / 3.0 + 1.0 / (0.4 * s) + 0.4 * s; }, 1e-3);
  expect_reflection(
      "type: rlc, topology: parallel, resistance: 3, inductance: 0.4",
      [](Response s) { return 1 / 3.0 + 1.0 / (0.4 * s); }, 1e-3);
}

/// Two coils coupled in a ladder: L1 with R in series, behind it C beside L2.
TEST_F(LumpedElement, may_be_any_network_of_states) {
  constexpr double L1 = 0.2, R = 0.3, C = 0.6, L2 = 0.5;
  // States: the current in L1, the voltage at C, the current in L2.
  expect_reflection(
      "type: network, A: [[-1.5, -5, 0], [1.6666666666666667, 0, -1.6666666666666667], [0, 2, 0]], B: [5, 0, 0], C: "
      "[1, "
      "0, 0], D: 0.25",
      [=](Response s) { return 0.25 + 1.0 / (R + s * L1 + 1.0 / (s * C + 1.0 / (s * L2))); }, 1e-3);
}

/// Without any port, in a pulse that runs towards it from z = -0.5: the voltage across it is that of the pulse, which a
/// line of impedance Z lets see Z / 2, times 2 / (2 + Z Y).
TEST_F(LumpedElement, needs_no_port) {
  constexpr double Z = 0.5, width = 0.1;
  const std::string pulse = "\"exp(-(z+0.5)^2/0.02)\"";
  const std::array<std::pair<const char*, Admittance>, 2> elements{
      {{"type: rlc, resistance: 0.4", [](Response) { return 2.5; }},
       {"type: network, A: [[-1, -2.5], [2.5, 0]], B: [2.5, 0], C: [1, 0], D: 0.25",
        [](Response s) { return 0.25 + 1.0 / (0.4 + 0.4 * s + 1.0 / (0.4 * s)); }}}};
  for (const auto& [element, Y] : elements) {
    const Outcome outcome =
        run({"ports=[]", "sources=[]", "boundaries.2.region=[z_min, z_max]", "time.end=20", "solver.order=6",
             "initial_fields={E: [" + pulse + ", \"0\", \"0\"], H: [\"0\", " + pulse + ", \"0\"]}",
             "outputs={elements: {every: 1}}",
             std::string("elements=[{name: load, boundary: gap, from: x_max, to: x_min, ") + element + "}]"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const dg::Table signals = dg::read_csv(directory_ / "out/elements.csv");
    const std::vector<double>&t = signals.column("time"), &V = signals.column("load.V"), &I = signals.column("load.I");
    ASSERT_GT(t.size(), 100U);
    for (const double f : {0.2, 0.4, 0.6}) {
      const Response s{0, 2 * M_PI * f};
      Response of_V = 0, of_I = 0;
      for (std::size_t i = 0; i < t.size(); ++i) {
        of_V += V[i] * std::exp(-s * t[i]) * (t[1] - t[0]);
        of_I += I[i] * std::exp(-s * t[i]) * (t[1] - t[0]);
      }
      // From x_max to x_min, against E.
      const Response of_pulse =
          -plate_gap * width * std::sqrt(2 * M_PI) * std::exp(s * s * width * width / 2.0 - 0.5 * s);
      const Response expected = of_pulse * 2.0 / (2.0 + Z * Y(s));
      EXPECT_LT(std::abs(of_V - expected), 1e-3 * std::abs(of_pulse)) << element << ", at " << f;
      EXPECT_LT(std::abs(of_I - Y(s) * expected), 1e-3 * std::abs(of_pulse / Z)) << element << ", at " << f;
    }
  }
}

TEST_F(LumpedElement, may_end_a_line_on_the_outside_of_the_mesh) {
  expect_reflection(
      "type: rlc, resistance: 0.2, inductance: 0.5, capacitance: 0.3",
      [](Response s) { return 1.0 / (0.2 + 0.5 * s + 1.0 / (0.3 * s)); }, 1e-3, true);
  expect_reflection(
      "type: rlc, capacitance: 0.5", [](Response s) { return 0.5 * s; }, 1e-3, true);
}

TEST_F(LumpedElement, lies_in_a_gap_of_its_own) {
  expect_error(run({"elements.0.to=x_max"}), 2, "elements.0.to: is the conductor at the other end, too");
  expect_error(run({"elements.0.to=y_min"}), 2,
               "elements.0.to: 'y_min' is no conductor: give it a boundary of type pec or impedance");
  expect_error(run({"elements.0.to=nowhere"}), 2, "elements.0.to: the mesh has no surface 'nowhere'");
  expect_error(run({"elements.0.boundary=z_min"}), 2, "elements.0.boundary: 'z_min' is already covered by ports.0");
  expect_error(run({"boundaries.2.type=pec", "elements.0.to=z_max"}), 2,
               "elements.0.boundary: 'gap' meets the conductor `from` along an edge near");
  expect_error(
      run({"boundaries=[{region: [x_min, x_max], type: pec}, {region: [y_min, y_max], type: pmc}, {region: z_max, "
           "type: absorbing}, {region: gap, type: sheet, resistance: 1}]"}),
      2, "elements.0.boundary: 'gap' has faces that a sheet covers already");
  const std::string two = "{name: load, type: rlc, from: x_max, to: x_min, capacitance: 1, boundary: ";
  expect_error(run({"elements=[" + two + "gap}, " + two + "half}]"}), 2,
               "elements.1.name: 'load' is the name of another element already");
  expect_error(run({"elements=[" + two +
                    "gap}, {name: b, type: rlc, from: x_max, to: x_min, capacitance: 1, boundary: "
                    "gap}]"}),
               2, "elements.1.boundary: 'gap' is already covered by elements.0");
}

TEST_F(LumpedElement, must_be_a_passive_circuit) {
  expect_error(run({"elements.0.resistance=0"}), 2, "elements.0.type: is a short circuit");
  expect_error(run({"elements.0={name: load, type: rlc, boundary: gap, from: x_max, to: x_min}"}), 2,
               "elements.0.type: is a short circuit");
  const std::string network = "elements.0={name: load, type: network, boundary: gap, from: x_max, to: x_min, ";
  expect_error(run({network + "A: [[-0.05, -2], [2, -0.05]], B: [1, 0], C: [-0.025, 0], D: 0.2}"}), 2,
               "elements.0.A: is not passive: at 0.3");
  expect_error(run({network + "A: [[0.1]], B: [1], C: [1]}"}), 2,
               "elements.0.A: is not passive: a state grows by itself");
  expect_error(run({network + "A: [[-1, 2]], B: [1], C: [1]}"}), 2,
               "elements.0.A: has 1 row: each needs as many numbers, and so do B and C");
}

/// configs/loaded_line.yaml: its line of Z_0 / 2 and 60 mm, at whose end lies a resonant circuit, against a port of
/// 188.4 ohm.
TEST(LoadedLine, reflects_what_circuit_theory_says) {
  const TemporaryDirectory directory;
  const std::filesystem::path config = std::filesystem::path(MAXWELL_DG_SOURCE_DIR) / "configs/loaded_line.yaml";
  const Outcome outcome =
      run_program({config.string(), "--quiet", "--output", (directory / "out").string()}, directory.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const dg::Table waves = dg::read_csv(directory / "out/port_waves.csv");
  ASSERT_EQ(waves.rows(), 11U);
  constexpr double reference = 188.4, Z = 376.730313668 / 2, delay = 0.06 / 299792458;
  double least = 1;
  for (std::size_t i = 0; i < waves.rows(); ++i) {
    const Response s{0, 2 * M_PI * waves.column("frequency")[i]};
    const Response load = 100.0 + 10e-9 * s + 1.0 / (1e-12 * s);
    const Response at_feed = (load - Z) / (load + Z) * std::exp(-2.0 * s * delay);
    const Response seen = Z * (1.0 + at_feed) / (1.0 - at_feed), expected = (seen - reference) / (seen + reference);
    const Response a{waves.column("a_re")[i], waves.column("a_im")[i]};
    const Response b{waves.column("b_re")[i], waves.column("b_im")[i]};
    EXPECT_LT(std::abs(b / a - expected), 1e-3)
        << "at " << waves.column("frequency")[i] << ": " << b / a << ", not " << expected;
    least = std::min(least, std::abs(b / a));
  }
  EXPECT_NEAR(least, 0.306, 1e-3) << "which the config says";
}

/// The transforms of voltage and current have the ratio of the circuit's admittance, inside the mesh and outside.
TEST_F(LumpedElement, shows_its_voltage_and_current) {
  for (const bool ends : {false, true}) {
    std::vector<std::string> assignments{
        std::string("elements=[{name: load, type: rlc, from: x_max, to: x_min, resistance: 0.1, inductance: 0.5, "
                    "capacitance: 0.3, boundary: ") +
            (ends ? "z_max" : "gap") + "}]",
        "outputs.elements={every: 1}"};
    if (ends) assignments.emplace_back(walls_alone);
    const Outcome outcome = run(assignments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const dg::Table signals = dg::read_csv(directory_ / "out/elements.csv");
    const std::vector<double>&t = signals.column("time"), &V = signals.column("load.V"), &I = signals.column("load.I");
    ASSERT_GT(t.size(), 100U);
    for (const double f : {0.3, 0.4, 0.5}) {
      const Response s{0, 2 * M_PI * f};
      Response of_V = 0, of_I = 0;
      for (std::size_t i = 0; i < t.size(); ++i) {
        of_V += V[i] * std::exp(-s * t[i]);
        of_I += I[i] * std::exp(-s * t[i]);
      }
      const Response Y = 1.0 / (0.1 + 0.5 * s + 1.0 / (0.3 * s));
      EXPECT_LT(std::abs(of_I / of_V - Y), 1e-3 * std::abs(Y)) << (ends ? "outside" : "inside") << ", at " << f;
    }
  }
  expect_error(run({"elements=[]", "outputs.elements={every: 1}"}), 2,
               "outputs.elements: needs `elements`, of which there are none");
}

/// What is not used costs nothing: a film adds one kernel to those of the line without it, whose texts stay as they
/// are, and metal without thickness adds none.
TEST_F(LumpedElement, adds_one_kernel_and_metal_none) {
  const auto kernels_with = [&](const std::vector<std::string>& assignments) {
    const std::filesystem::path folder = directory_ / "kernels";
    const Outcome outcome = run(assignments, {"--kernels", folder.string()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::map<std::string, std::string> texts;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".kernel") texts[entry.path().filename()] = content_of(entry.path());
    }
    return texts;
  };
  const auto without = kernels_with({"elements=[]"});
  EXPECT_GE(without.size(), 2U);
  EXPECT_EQ(kernels_with({"elements=[]", "boundaries.0.region=[x_min, x_max, at_half]"}), without);
  auto with = kernels_with({});
  EXPECT_EQ(std::erase_if(with, [](const auto& kernel) { return kernel.first.starts_with("face_term_lumped_"); }), 1U);
  EXPECT_EQ(with, without);
}

/// With its auxiliary variables, to the bit.
TEST_F(LumpedElement, goes_on_from_a_checkpoint) {
  const std::vector<std::string> assignments{
      "elements.0={name: load, type: rlc, boundary: gap, from: x_max, to: x_min, resistance: 0.1, inductance: 0.5, "
      "capacitance: 0.3}",
      "time.end=20", "checkpoint={steps: 50, keep: 100}", "outputs.elements={every: 3}"};
  Outcome outcome = run(assignments);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::filesystem::path out = directory_ / "out";
  const std::string signals = content_of(out / "elements.csv"), waves = content_of(out / "port_waves.csv");
  std::vector<std::filesystem::path> checkpoints;
  for (const auto& file : dg::checkpoints_in(out)) checkpoints.push_back(file.path);
  ASSERT_GT(checkpoints.size(), 3U);
  for (std::size_t i = 2; i < checkpoints.size(); ++i) std::filesystem::remove(checkpoints[i]);
  outcome = run(assignments, {"--quiet", "--resume"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(content_of(out / "elements.csv"), signals);
  EXPECT_EQ(content_of(out / "port_waves.csv"), waves);
}

}  // namespace
}  // namespace maxwell_dg::testing
