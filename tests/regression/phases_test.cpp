#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dg/observe/files/csv_table.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// The empty lattice: a plane wave that fits its cell by phases along x and z.
const char* const lattice = R"yaml(units: normalized
constants: {kx: "100*pi/180", kz: "-60*pi/180", w: "sqrt(kx^2 + kz^2)"}
mesh: {box: {min: [0, 0, 0], max: [1, 0.3, 1], cells: [3, 1, 3]}}
solver: {order: 3, precision: double}
time: {end: 16}
materials: [{region: "*"}]
boundaries:
  - {region: x_min, type: periodic, with: x_max, phase: 100}
  - {region: z_max, type: periodic, with: z_min, phase: 60}
  - {region: "*", type: pec}
initial_fields:
  E: ["0", "cos(kx*x + kz*z)", "0"]
  H: ["-kz/w*cos(kx*x + kz*z)", "0", "kx/w*cos(kx*x + kz*z)"]
reference_solution:
  E: ["0", "cos(w*t - kx*x - kz*z)", "0"]
  H: ["-kz/w*cos(w*t - kx*x - kz*z)", "0", "kx/w*cos(w*t - kx*x - kz*z)"]
imaginary:
  initial_fields:
    E: ["0", "-sin(kx*x + kz*z)", "0"]
    H: ["kz/w*sin(kx*x + kz*z)", "0", "-kx/w*sin(kx*x + kz*z)"]
  reference_solution:
    E: ["0", "sin(w*t - kx*x - kz*z)", "0"]
    H: ["-kz/w*sin(w*t - kx*x - kz*z)", "0", "kx/w*sin(w*t - kx*x - kz*z)"]
outputs:
  probes: [{name: p, at: [0.31, 0.11, 0.62]}]
  resonances: {from: 0.1, to: 0.9}
)yaml";

TEST(Phases, let_a_wave_run_through_the_empty_lattice) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_config(directory.path(), lattice, {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto summary = nlohmann::json::parse(content_of(directory / "out/summary.json"));
  EXPECT_EQ(summary.at("elements"), 2 * 54);
  EXPECT_LT(summary.at("error").at("E").at("linf").get<double>(), 1e-3);  // of both parts, after five periods
  EXPECT_LT(summary.at("error").at("H").at("linf").get<double>(), 1e-3);

  const dg::Table probes = dg::read_csv(directory / "out/probes.csv");
  const std::vector<double>& real = probes.column("p.Ey");
  const std::vector<double>& imaginary = probes.column("p.imaginary.Ey");
  ASSERT_GT(real.size(), 100U);
  for (std::size_t i = 0; i < real.size(); ++i) EXPECT_NEAR(std::hypot(real[i], imaginary[i]), 1, 1e-4) << i;

  const std::string found = content_of(directory / "out/resonances.csv");
  const std::size_t row = found.find("\np,Ey,");
  ASSERT_NE(row, std::string::npos) << found;
  const double k = std::hypot(100, 60) * M_PI / 180;  // w = k, the dispersion of vacuum
  EXPECT_NEAR(2 * M_PI * std::stod(found.substr(row + 6)) / k, 1, 1e-5) << found;
}

/// A dipole drives the real part; what goes through the joint comes back in the imaginary one.
TEST(Phases, turn_what_a_dipole_sends) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_config(directory.path(), R"(units: normalized
mesh: {box: {min: [0, 0, 0], max: [1, 1, 1], cells: [3, 3, 3]}}
solver: {order: 2, precision: double}
time: {end: 6}
materials: [{region: "*"}]
boundaries:
  - {region: x_min, type: periodic, with: x_max, phase: 90}
  - {region: "*", type: absorbing}
sources:
  - {type: dipole, at: [0.4, 0.5, 0.6], moment: [0, 0, 1],
     waveform: {type: gaussian_pulse, frequency: 0.8, bandwidth: 0.8}}
outputs:
  probes: [{name: p, at: [0.7, 0.5, 0.6]}]
)",
                                     {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const dg::Table probes = dg::read_csv(directory / "out/probes.csv");
  for (const char* part : {"p.Ez", "p.imaginary.Ez"}) {
    double largest = 0;
    for (const double value : probes.column(part)) largest = std::max(largest, std::abs(value));
    EXPECT_GT(largest, 0.1) << part;
  }
}

/// A line between plates, as wide as it is high, whose port has three times its impedance.
const char* const line = R"yaml(units: normalized
mesh: {box: {min: [0, 0, 0], max: [0.5, 0.5, 2], cells: [3, 2, 8]}}
solver: {order: 3, precision: double}
time: {until: {decay: "-30 dB"}, at_most: 4.3}
materials: [{region: "*"}]
boundaries:
  - {region: x_min, type: periodic, with: x_max}
  - {region: [y_min, y_max], type: pec}
  - {region: z_max, type: absorbing}
ports: [{name: end, type: lumped, boundary: z_min, impedance: 3, from: y_max, to: y_min}]
initial_fields: {E: ["0", "exp(-20*(z-1)^2)", "0"], H: ["exp(-20*(z-1)^2)", "0", "0"]}
outputs: {energy: {every: 1}}
)yaml";

/// Either part of the fields meets the port that real fields meet, and so does what is left of the wave at it.
TEST(Phases, leave_a_lumped_port_its_impedance) {
  const TemporaryDirectory directory;
  const auto run = [&](const std::vector<std::string>& set) {
    std::vector<std::string> arguments = with_set(set);
    arguments.emplace_back("--quiet");
    const Outcome outcome = run_config(directory.path(), line, arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return std::pair(dg::read_csv(directory / "out/energy.csv"),
                     nlohmann::json::parse(content_of(directory / "out/summary.json")));
  };
  const auto [real, summary] = run({});
  const std::vector<double>& expected = real.column("total");
  EXPECT_NEAR(expected[expected.size() / 2] / expected[0], 0.25, 0.01) << "of the wave half comes back";
  EXPECT_NE(summary.at("warnings").dump().find("the wave out of port 'end'"), std::string::npos) << summary;
  const std::string turned = "boundaries.0.phase=360";
  const std::string imaginary =
      "imaginary.initial_fields={E: ['0', 'exp(-20*(z-1)^2)', '0'], H: ['exp(-20*(z-1)^2)', '0', '0']}";
  for (const std::vector<std::string>& set :
       {std::vector{turned}, std::vector{turned, imaginary, std::string("initial_fields={E: ['0', '0', '0']}")}}) {
    const auto [table, of_complex] = run(set);
    const std::vector<double>& found = table.column("total");
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12 * expected[0]) << i;
    EXPECT_EQ(of_complex.at("warnings"), summary.at("warnings"));
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
