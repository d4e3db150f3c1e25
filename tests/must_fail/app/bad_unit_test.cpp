#include "core/atomic_file.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// An open box of 0.1 m with a dipole that sends a pulse of 3 GHz for 3 ns.
constexpr const char* open_box = R"yaml(mesh: {box: {min: [0, 0, 0], max: [0.1, 0.1, 0.1], cells: [6, 6, 6]}}
solver: {order: 2}
time: {end: "3 ns"}
materials: [{region: "*"}]
boundaries: [{region: "*", type: absorbing}]
sources:
  - type: dipole
    at: ["50 mm", "50 mm", "50 mm"]
    moment: [0, 0, 1]
    waveform: {type: gaussian_pulse, frequency: "3 GHz", bandwidth: "3 GHz"}
)yaml";

class BadUnit : public ::testing::Test {
 protected:
  /// The open box with values changed.
  Outcome check(const std::vector<std::string>& changes) {
    write_file_atomically(directory_ / "open.yaml", std::string(open_box));
    std::vector<std::string> arguments = with_set(changes);
    arguments.insert(arguments.begin(), {"--check", (directory_ / "open.yaml").string()});
    return run_program(arguments, directory_.path());
  }
  void expect_refused(const std::vector<std::string>& changes, const std::string& text) {
    expect_error(check(changes), 2, text);
  }
  /// And the resolved config is accepted, too.
  void expect_accepted(const std::vector<std::string>& changes) {
    const Outcome outcome = check(changes);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto resolved = directory_ / "resolved.yaml";
    write_file_atomically(resolved, outcome.out);
    const Outcome again = run_program({"--check", resolved.string()}, directory_.path());
    EXPECT_EQ(again.exit_code, 0) << again.err << outcome.out;
  }
  const TemporaryDirectory directory_;
};

TEST_F(BadUnit, a_mesh_in_millimetres_without_a_scale) {
  const std::string file = (directory_ / "mesh.h5").string();
  dg::write_mesh(dg::make_box({.min = {0, 0, 0}, .max = {100, 100, 100}, .cells = {6, 6, 6}}), file);
  expect_refused({"mesh={file: " + file + "}"},
                 "--set: mesh.scale: the mesh is 2600 wavelengths large at 4.5 GHz, and half of its elements have less "
                 "than 0.004616 points per wavelength: was it drawn in millimetres? Did you mean scale: 0.001? No wave "
                 "gets through such elements. If metres are meant, write scale: 1");
  expect_accepted({"mesh={file: " + file + ", scale: 1}"});
  expect_accepted({"mesh={file: " + file + ", scale: 0.001}"});
}

TEST_F(BadUnit, a_box_in_millimetres) {
  expect_refused({"mesh.box.max=[100, 100, 100]"}, "mesh.box: the mesh is 2600 wavelengths large at 4.5 GHz");
  expect_refused({"mesh.box.max=[100, 100, 100]"},
                 "did you mean texts such as '10 mm'? No wave gets through such elements. If metres are meant, write "
                 "them as '1 m'");
  expect_accepted({"mesh.box.max=[100 m, 100 m, 100 m]"});
}

TEST_F(BadUnit, a_frequency_in_gigahertz) {
  expect_refused(
      {"sources.0.waveform={type: sine, frequency: 5}"},
      "--set: sources.0.waveform.frequency: the wavelength, 59.96 Mm, is 3.462e+08 times the diagonal of the "
      "mesh, 173.2 mm, and a period takes ");
  expect_refused({"sources.0.waveform={type: sine, frequency: 5}"},
                 " steps; did you mean '5 GHz'? Frequencies without a unit are in Hz; if that is meant, write '5 Hz'");
  expect_refused({"sources.0.waveform={type: sine, frequency: 2450}"}, "; did you mean '2450 MHz'?");
  expect_refused({"sources.0.waveform={type: sine, frequency: 5}", "time={periods: 20}"}, "; did you mean '5 GHz'?");
  expect_accepted({"sources.0.waveform={type: sine, frequency: 5 Hz}"});
  expect_accepted({"sources.0.waveform={type: sine, frequency: 3e9}"});
}

TEST_F(BadUnit, a_bandwidth_in_gigahertz) {
  expect_refused({"sources.0.waveform.bandwidth=3"},
                 "sources.0.waveform.bandwidth: makes a pulse that peaks at t = 1.138 s, long after the run ends, at "
                 "3 ns; did you mean '3 GHz'?");
  expect_accepted({"sources.0.waveform.bandwidth=3 Hz"});
}

TEST_F(BadUnit, frequencies_of_outputs_in_gigahertz) {
  expect_refused({"outputs.frequency_fields={frequencies: [3e9, 3]}"},
                 "outputs.frequency_fields.frequencies.1: 3 Hz is not in the first source, whose spectrum is below "
                 "-60 dB there; it peaks at 3 GHz; did you mean '3 GHz'?");
  expect_refused(
      {"outputs={probes: [{name: a, at: [0, 0, 0]}], probe_spectra: {from: 2, to: 4}}"},
      "outputs.probe_spectra.from: 2 Hz is not in the first source, whose spectrum is below -60 dB there; it "
      "peaks at 3 GHz; did you mean '2 GHz'?");
  const std::vector<std::string> guide{"boundaries=[{region: [x_min, x_max, y_min, y_max, z_max], type: pec}]",
                                       "ports=[{name: p1, boundary: z_min, mode: te10}]"};
  const std::string port =
      "sources=[{type: port, waveform: {type: gaussian_pulse, frequency: 3 GHz, bandwidth: 1 GHz}}]";
  expect_refused({guide[0], guide[1], port, "outputs.s_parameters={from: 2.7, to: 3.3}"},
                 "outputs.s_parameters.from: 2.7 Hz is not above 1.499 GHz, where mode te10 of port 'p1' is cut off; "
                 "below it, the mode does not propagate; did you mean '2.7 GHz'?");
}

TEST_F(BadUnit, an_end_in_nanoseconds) {
  expect_refused({"time.end=3"}, "time.end: would take over 1e10 steps: the largest stable step, times cfl, is ");
  expect_refused({"time.end=3"},
                 "; did you mean '3 ns'? Times without a unit are in seconds; if that is meant, write "
                 "'3 s'");
  expect_accepted({"time.end=3 s"});
}

TEST_F(BadUnit, points_in_millimetres) {
  const std::string spans =
      " lies outside of the mesh, which spans (0, 0, 0) to (0.1, 0.1, 0.1) m; numbers without a "
      "unit are metres: did you mean ";
  expect_refused({"outputs.probes=[{name: p, at: [20, 5 mm, 0]}]"},
                 "outputs.probes.0.at: probe 'p' at (20, 0.005, 0) m" + spans + "[\"20 mm\", \"5 mm\", 0]?");
  expect_refused({"outputs.probes=[{name: p, at: [2000, 0, 0]}]"}, spans + "[\"2000 um\", 0, 0]?");
  expect_refused({"sources.0.at=[20, 20, 30]"},
                 "sources.0.at: the dipole" + spans + "[\"20 mm\", \"20 mm\", \"30 mm\"]?");
  const std::string file = (directory_ / "mesh.h5").string();
  dg::write_mesh(dg::make_box({.min = {0, 0, 0}, .max = {4, 4, 4}, .cells = {6, 6, 6}}), file);
  expect_refused({"mesh={file: " + file + ", scale: 0.025}", "outputs.probes=[{name: p, at: [2, 0, 0]}]"},
                 "did you mean [\"50 mm\", 0, 0]?");
}

TEST_F(BadUnit, no_guess_for_points_that_no_unit_takes_into_the_mesh) {
  for (const char* at : {"[20 m, 0, 0]", "[-20, 0, 0]", "[0.2, 0, 0]"}) {
    const Outcome outcome = check({std::string("outputs.probes=[{name: p, at: ") + at + "}]"});
    expect_error(outcome, 2, "lies outside of the mesh");
    EXPECT_EQ(outcome.err.find("did you mean"), std::string::npos) << outcome.err;
  }
}

TEST_F(BadUnit, a_pml_in_millimetres) {
  expect_refused({"boundaries.0={region: '*', type: pml, thickness: 16}"},
                 "boundaries.0.thickness: the PML is thicker than the whole mesh, whose diagonal is 173.2 mm; did you "
                 "mean '16 mm'?");
  expect_refused({"boundaries.0={region: '*', type: pml, thickness: 16 m}"}, "; is the unit of the mesh right?");
}

TEST_F(BadUnit, a_pml_that_leaves_no_element) {
  expect_refused({"boundaries.0={region: '*', type: pml, thickness: 60 mm}"},
                 "boundaries.0: the PML takes all elements of the mesh, so none is left for fields without damping");
}

}  // namespace
}  // namespace maxwell_dg::testing
