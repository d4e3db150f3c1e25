#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/support/named_faces.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

using std::numbers::pi;

/// A plane wave along z in vacuum, let in around a ball of it: at a probe the field is that of the origin, later by
/// z/c.
const std::string wave = R"yaml(units: normalized
mesh: {file: )yaml" MAXWELL_DG_SOURCE_DIR R"yaml(/meshes/sphere_in_layer.h5}
solver: {order: 2, precision: single}
time: {end: 16}
materials: [{region: "*"}]
boundaries: [{region: "*", type: absorbing}]
sources:
  - type: plane_wave
    direction: [0, 0, 1]
    polarization: [1, 0, 0]
    waveform: {type: gaussian_pulse, frequency: 0.25, bandwidth: 0.4, amplitude: 3}
    injection: {type: total_field, regions: [ball, near]}
outputs:
  probes: [{name: at_origin, at: [0, 0, 0]}, {name: behind, at: [0.31, 0.17, 0.4]}]
  probe_spectra: {probes: [behind], from: 0.1, to: 0.3, count: 3}
)yaml";

/// The mode (1, 1, 1) of a cube, which no source drives: cos(w t) cos(pi x) sin(pi y) sin(pi z).
const char* const cavity = R"yaml(units: normalized
mesh: {box: {min: [0, 0, 0], max: [1, 1, 1], cells: [2, 2, 2]}}
solver: {order: 8, precision: double}
time: {end: 2}
materials: [{region: "*"}]
boundaries: [{region: "*", type: pec}]
initial_fields: {E: ["cos(pi*x)*sin(pi*y)*sin(pi*z)", "-sin(pi*x)*cos(pi*y)*sin(pi*z)", "0"]}
outputs:
  probes: [{name: p, at: [0.3, 0.4, 0.6]}]
  probe_spectra: {from: 0.5, to: 1.5, count: 6}
)yaml";

std::complex<double> phasor(const dg::Table& table, const std::string& name, std::size_t row) {
  return {table.column(name + "_re").at(row), table.column(name + "_im").at(row)};
}

TEST(ProbeSpectra, of_a_cavity_without_sources_are_the_exact_integral) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_config(directory.path(), cavity, {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const dg::Table table = dg::read_csv(directory / "out/probe_spectra.csv");
  const double w = pi * std::sqrt(3.0), T = 2;
  const double at_probe = std::cos(0.3 * pi) * std::sin(0.4 * pi) * std::sin(0.6 * pi);
  ASSERT_EQ(table.column("frequency").size(), 6U);
  for (std::size_t row = 0; row < 6; ++row) {
    const double f = table.column("frequency")[row];
    EXPECT_DOUBLE_EQ(f, 0.5 + 0.2 * static_cast<double>(row));
    std::complex<double> exact = 0;  // of cos(w t) exp(-2 pi i f t) from 0 to T
    for (const double sign : {1.0, -1.0}) {
      const std::complex<double> rate(0, sign * w - 2 * pi * f);
      exact += (std::exp(rate * T) - 1.0) / rate / 2.0;
    }
    EXPECT_LT(std::abs(phasor(table, "p.Ex", row) - at_probe * exact), 1e-3) << f;
  }
}

/// Without anything in its way a wave is not shielded, whether the total or the scattered field is computed.
TEST(ProbeSpectra, of_a_plane_wave_show_no_shielding_in_vacuum) {
  for (const char* injection : {"{type: total_field, regions: [ball, near]}", "{type: scattered_field}"}) {
    const TemporaryDirectory directory;
    const Outcome outcome = run_config(directory.path(), wave,
                                       {"--quiet", "--set", "outputs.probe_spectra.shielding=true", "--set",
                                        "sources.0.injection=" + std::string(injection)});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const dg::Table table = dg::read_csv(directory / "out/shielding.csv");
    ASSERT_EQ(table.column("frequency").size(), 3U);
    for (const char* column : {"behind.electric_db", "behind.magnetic_db"}) {
      for (const double decibels : table.column(column)) EXPECT_NEAR(decibels, 0, 0.1) << injection;
    }
  }
}

/// A sheet across the wave lets 2 R / (2 R + 1) of E and of H through, R over the impedance of space.
TEST(ProbeSpectra, behind_a_sheet_show_its_shielding) {
  const TemporaryDirectory directory;
  dg::Mesh mesh = dg::make_box({.min = {0, 0, -1}, .max = {0.5, 0.5, 1}, .cells = {1, 1, 8}});
  name_faces(mesh, "sheet", [](const dg::Point& x) { return std::abs(x[2]) < 1e-9; });
  dg::prepare(mesh, "sheet", dg::Orientation::any);
  dg::write_mesh(mesh, directory / "sheet.h5");
  const Outcome outcome = run_config(directory.path(), R"yaml(units: normalized
mesh: {file: sheet.h5}
solver: {order: 5, precision: double}
time: {end: 20}
materials: [{region: "*"}]
boundaries:
  - {region: [x_min, x_max], type: pec}
  - {region: [y_min, y_max], type: pmc}
  - {region: sheet, type: sheet, resistance: 0.1}
  - {region: [z_min, z_max], type: absorbing}
sources:
  - type: plane_wave
    direction: [0, 0, 1]
    polarization: [1, 0, 0]
    waveform: {type: gaussian_pulse, frequency: 0.5, bandwidth: 0.5}
    injection: {type: scattered_field}
outputs:
  probes: [{name: front, at: [0.2, 0.2, -0.3]}, {name: behind, at: [0.2, 0.3, 0.4]}]
  probe_spectra: {probes: [behind], from: 0.4, to: 0.6, count: 3, shielding: true}
)yaml",
                                     {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const dg::Table table = dg::read_csv(directory / "out/shielding.csv");
  EXPECT_EQ(table.columns().size(), 3U);
  for (const char* column : {"behind.electric_db", "behind.magnetic_db"}) {
    for (const double decibels : table.column(column)) EXPECT_NEAR(decibels, 20 * std::log10(1.2 / 0.2), 1e-2);
  }
  for (const double f : table.column("frequency")) EXPECT_GT(f, 0.3);
}

TEST(ProbeSpectra, of_shielding_need_a_plane_wave_and_the_total_field) {
  const TemporaryDirectory directory;
  expect_error(run_config(directory.path(), wave,
                          {"--quiet", "--set", "outputs.probe_spectra.shielding=true", "--set",
                           "sources.0.injection.regions=[near]"}),
               2, "outputs.probe_spectra.shielding: probe 'behind' lies outside of the total-field regions");
  expect_error(
      run_config(directory.path(), cavity, {"--quiet", "--set", "outputs.probe_spectra.shielding=true"}), 2,
      "outputs.probe_spectra.shielding: compares with the field of an incident plane wave: let one be the only "
      "source");
}

TEST(ProbeSpectra, of_a_plane_wave_are_its_phase_at_the_probe) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_config(directory.path(), wave, {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const dg::Table table = dg::read_csv(directory / "out/probe_spectra.csv");
  for (std::size_t row = 0; row < 3; ++row) {
    const double f = table.column("frequency").at(row);
    const std::complex<double> exact = std::polar(1.0, -2 * pi * f * 0.4);
    EXPECT_LT(std::abs(phasor(table, "behind.Ex", row) - exact), 2e-3) << f;
    EXPECT_LT(std::abs(phasor(table, "behind.Hy", row) - exact), 2e-3) << f;
    EXPECT_LT(std::abs(phasor(table, "behind.Ez", row)), 2e-3) << f;
  }
  EXPECT_THROW((void)table.column("at_origin.Ex_re"), ConfigError);
}

TEST(ProbeSpectra, of_fields_with_a_phase_are_of_real_and_imaginary_parts_together) {
  const TemporaryDirectory directory;
  // exp(-2 pi i (z - t) / 4): a wave that travels along z, a quarter of a wavelength in the box.
  const char* const config = R"yaml(units: normalized
mesh: {box: {min: [0, 0, 0], max: [1, 1, 1], cells: [3, 3, 3]}}
solver: {order: 5, precision: double}
time: {end: 4}
materials: [{region: "*"}]
boundaries:
  - {region: x_min, type: periodic, with: x_max}
  - {region: y_min, type: periodic, with: y_max}
  - {region: z_min, type: periodic, with: z_max, phase: 90}
initial_fields: {E: ["cos(pi*z/2)", "0", "0"], H: ["0", "cos(pi*z/2)", "0"]}
imaginary: {initial_fields: {E: ["-sin(pi*z/2)", "0", "0"], H: ["0", "-sin(pi*z/2)", "0"]}}
outputs:
  probes: [{name: p, at: [0.3, 0.4, 0.6]}]
  probe_spectra: {from: 0.25, to: 0.5, count: 2}
)yaml";
  const Outcome outcome = run_config(directory.path(), config, {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const dg::Table table = dg::read_csv(directory / "out/probe_spectra.csv");
  EXPECT_LT(std::abs(phasor(table, "p.Ex", 0) - 4.0 * std::polar(1.0, -pi / 2 * 0.6)), 1e-3);
  EXPECT_LT(std::abs(phasor(table, "p.Ex", 1)), 1e-3);  // a whole period of the difference
}

TEST(ProbeSpectra, of_fields_that_had_not_died_away_are_said_to_miss_what_would_follow) {
  const TemporaryDirectory directory;
  const std::string warning = "warning: probe_spectra: the run ends before the fields have died away: the energy at ";
  const auto said_of = [&](const std::vector<std::string>& assignments) {
    const Outcome outcome = run_config(directory.path(), wave, with_set(assignments));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_EQ(said_of({"solver.order=1", "time.end=26"}).find(warning), std::string::npos);
  EXPECT_NE(said_of({"solver.order=1", "time.end=7"}).find(warning), std::string::npos);
}

TEST(ProbeSpectra, that_no_source_holds_and_probes_that_are_not_there_are_refused) {
  const TemporaryDirectory directory;
  const auto expect = [&](const std::string& assignment, const std::string& message) {
    const Outcome outcome = run_config(directory.path(), wave, {"--quiet", "--set", assignment});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  };
  expect("outputs.probe_spectra.to=2",
         "outputs.probe_spectra.to: 2 is not in the first source, whose spectrum is below -60 dB there");
  expect("outputs.probe_spectra.probes=[behnd]", "no probe has the name 'behnd'; did you mean 'behind'?");
  expect("outputs.probe_spectra.to=0.05", "must be above from");
  expect("sources.0.waveform={type: sine, frequency: 0.25}",
         "needs a pulse as the first source; a sine holds a single");
}

}  // namespace
}  // namespace maxwell_dg::testing
