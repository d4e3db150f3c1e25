#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// An open box of a metre with a dipole that sends a pulse of 300 MHz for 30 ns.
constexpr const char* open_box = R"yaml(mesh: {box: {min: [0, 0, 0], max: [1, 1, 1], cells: [6, 6, 6]}}
solver: {order: 2}
time: {end: "30 ns"}
materials: [{region: "*"}]
boundaries: [{region: "*", type: absorbing}]
sources:
  - type: dipole
    at: [0.5, 0.5, 0.5]
    moment: [0, 0, 1]
    waveform: {type: gaussian_pulse, frequency: "300 MHz", bandwidth: "300 MHz"}
)yaml";

/// What --check says on stderr, with these values changed.
std::string said_of(const std::vector<std::string>& changes) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "open.yaml", std::string(open_box));
  std::vector<std::string> arguments = with_set(changes);
  arguments.insert(arguments.begin(), {"--check", (directory / "open.yaml").string()});
  const Outcome outcome = run_program(arguments, directory.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.err;
}

void expect_said(const std::vector<std::string>& changes, const std::string& text) {
  const std::string said = said_of(changes);
  EXPECT_NE(said.find(text), std::string::npos) << said;
}

TEST(ConfigWarnings, of_a_usual_config_there_are_none) {
  EXPECT_EQ(said_of({}), "");
}

TEST(ConfigWarnings, name_a_time_step_beyond_the_stable_one) {
  expect_said({"solver.cfl=3"}, "warning: --set: solver.cfl: 3 times the largest time step that is known to be stable");
}

TEST(ConfigWarnings, name_a_band_that_would_begin_below_zero) {
  expect_said({"sources.0.waveform.bandwidth=700 MHz"},
              "sources.0.waveform.bandwidth: is more than twice the frequency, 300 MHz: the band would begin below 0");
}

TEST(ConfigWarnings, name_outputs_that_are_rarer_than_the_run_is_long) {
  expect_said({"outputs.surface_fields={surfaces: x_min, every: 2}"},
              "outputs.surface_fields.every: 2 s is longer than the run, 30 ns: there is no file but the one of the "
              "beginning; did you mean '2 ns'?");
  const std::string said = said_of({"outputs.surface_fields={surfaces: x_min, every: 31 ns}"});
  EXPECT_NE(said.find("31 ns is longer than the run"), std::string::npos) << said;
  EXPECT_EQ(said.find("did you mean"), std::string::npos) << said;
  expect_said({"outputs.energy={every: 1000000}"}, "outputs.energy.every: 1000000 steps are more than the run has, ");
}

TEST(ConfigWarnings, name_a_pulse_that_comes_after_the_end) {
  expect_said({"sources.0.waveform.delay=5"},
              "sources.0.waveform.delay: the pulse peaks at t = 5 s, after the run ends, at 30 ns; did you mean "
              "'5 ns'?");
  expect_said({"time.end=5 ns"},
              "sources.0.waveform: the pulse peaks at t = 11.38 ns, after the run ends, at 5 ns; simulate a longer "
              "time");
}

/// The first that is said: what comes after it may be a consequence.
void expect_first(const std::vector<std::string>& changes, const std::string& text) {
  const std::string said = said_of(changes);
  EXPECT_NE(said.substr(0, said.find('\n')).find(text), std::string::npos) << said;
}

TEST(ConfigWarnings, name_a_frequency_out_of_proportion_to_the_mesh) {
  expect_first({"solver.cfl=3", "sources.0.waveform={type: ricker, frequency: 300 Hz, delay: 2 ns}"},
               "sources.0.waveform.frequency: the wavelength, 999.3 km, is 5.77e+05 times the diagonal of the mesh, "
               "1.732 m, and a period takes ");
  expect_said({"sources.0.waveform={type: ricker, frequency: 300 Hz, delay: 2 ns}"},
              " steps; did you mean '300 MHz'? Or is mesh.scale too small?");
  expect_said({"sources.0.waveform={type: ricker, frequency: 50000, delay: 2 ns}"},
              " is 3462 times the diagonal of the mesh, 1.732 m");  // a period of that can be waited for
}

TEST(ConfigWarnings, name_lengths_that_were_hardly_metres) {
  expect_first(
      {"mesh.box.max=[1000 m, 1000 m, 1000 m]", "sources.0.at=[500, 500, 500]"},
      "mesh.box: the mesh is 2600 wavelengths large at 450 MHz, and half of its elements have less than "
      "0.004616 points per wavelength: was it drawn in millimetres? Numbers without a unit are metres; did you "
      "mean texts such as '10 mm'?");
  expect_first({"mesh.box.max=[20, 20, 20]", "sources.0.at=[5, 5, 5]"},  // coarse, but not beyond doubt
               "mesh.box: the mesh is 52 wavelengths large at 450 MHz");
}

TEST(ConfigWarnings, name_the_scale_of_a_mesh_that_was_drawn_in_millimetres) {
  const TemporaryDirectory directory;
  const std::string file = (directory / "mesh.h5").string();
  dg::write_mesh(dg::make_box({.min = {0, 0, 0}, .max = {1000, 1000, 1000}, .cells = {6, 6, 6}}), file);
  const std::vector<std::string> drawn{"mesh={file: " + file + ", scale: 1}", "sources.0.at=[500, 500, 500]"};
  expect_first(drawn,
               "mesh.scale: the mesh is 2600 wavelengths large at 450 MHz, and half of its elements have less "
               "than 0.004616 points per wavelength: was it drawn in millimetres? Did you mean scale: 0.001?");
  // A frequency that is asked for is refused, and the guess stands before that.
  write_file_atomically(directory / "open.yaml", std::string(open_box));
  std::vector<std::string> arguments{"--check", (directory / "open.yaml").string()};
  for (const std::string& change : with_set(drawn)) arguments.push_back(change);
  for (const std::string& change : with_set({"sources.0.waveform={type: sine, frequency: 300 MHz}"})) {
    arguments.push_back(change);
  }
  const Outcome outcome = run_program(arguments, directory.path());
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("Did you mean scale: 0.001?"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace maxwell_dg::testing
