#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

TEST(divergence, too_large_a_step_ends_the_run_and_says_when_where_and_what_to_try) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_cavity(directory.path(), {"--set", "solver.cfl=10", "--set", "time.end=400"});
  expect_error(outcome, 5, "error: the solution diverged by step 20, t = ");
  expect_error(outcome, 5, "solver.cfl is 10: steps above 1 are not stable, take 1 or less");
  expect_error(outcome, 5, "its energy grew to ");
  expect_error(outcome, 5, " in region 'interior', epsilon_r 1, mu_r 1, sigma 0, quality 0.");
}

TEST(divergence, leaves_outputs_that_can_be_read_and_a_summary_that_says_so) {
  const TemporaryDirectory directory;
  std::vector<std::string> unstable = with_fields();
  unstable.insert(unstable.end(), {"--set", "solver.cfl=10", "--set", "time.end=400"});
  ASSERT_EQ(run_cavity(directory.path(), unstable).exit_code, 5);
  const std::string summary = content_of(directory / "out/summary.json");
  EXPECT_NE(summary.find("\"outcome\": \"diverged\""), std::string::npos) << summary;
  EXPECT_NE(content_of(directory / "out/run.log").find("error: the solution diverged"), std::string::npos);
  EXPECT_TRUE(content_of(directory / "out/probes.csv").ends_with('\n'));
  EXPECT_NE(content_of(directory / "out/run.log").find("; the fields are in "), std::string::npos);
  EXPECT_TRUE(content_of(directory / "out/diverged.vtu").ends_with("</VTKFile>\n"));
  EXPECT_TRUE(content_of(directory / "out/fields.pvd").ends_with("</VTKFile>\n"));
}

TEST(divergence, single_precision_overflow_is_one_too) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_cavity(
      directory.path(), {"--set", "solver.cfl=10", "--set", "solver.precision=single", "--set", "time.end=4000"});
  expect_error(outcome, 5, "error: the solution diverged by step ");
  expect_error(outcome, 5, "its energy is no longer a finite number");
}

TEST(divergence, in_an_active_medium_is_called_so) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_cavity(
      directory.path(), {"--set", "materials.0.sigma=-20", "--set", "materials.0.active=true", "--set", "time.end=60"});
  expect_error(outcome, 5, "sigma -20");
  expect_error(outcome, 5, "materials.0 is active, a gain medium, in which fields grow as long as the run goes on");
}

/// Sources have ended by t = 5, and what they have left falls to 5e-7. Steps that are a little too large make it grow
/// again, to 28 times its peak at t = 60.
constexpr const char* slowly_unstable = R"yaml(units: normalized
mesh: {box: {min: [0, 0, 0], max: [1, 1, 1], cells: [3, 3, 3]}}
solver: {order: 2, cfl: 1.32, precision: double}
time: {end: 60}
materials: [{region: "*", epsilon_r: 1}]
boundaries: [{region: "*", type: absorbing}]
sources: [{type: dipole, at: [0.31, 0.37, 0.41], moment: [0.3, 0.5, 1], waveform: {WAVEFORM}}]
)yaml";

std::string with_waveform(const std::string& waveform) {
  std::string text = slowly_unstable;
  const std::string place = "WAVEFORM";
  return text.replace(text.find(place), place.size(), waveform);
}

TEST(divergence, after_the_sources_have_ended_is_seen_long_before_the_energy_is_beyond_its_peak) {
  const TemporaryDirectory directory;
  for (const char* waveform :
       {"type: ricker, frequency: 0.8", "type: expression, value: 'exp(-((t - 1.5) / 0.25)^2) * sin(5 * t)'"}) {
    const Outcome outcome = run_config(directory.path(), with_waveform(waveform));
    expect_error(outcome, 5, " times the least since t = ");
    expect_error(outcome, 5, ", from when on sources are over; the largest field is in element ");
  }
  EXPECT_EQ(
      run_config(directory.path(), with_waveform("type: ricker, frequency: 0.8"), {"--set", "solver.cfl=1"}).exit_code,
      0);
}

/// The cavity with a source, which its mesh carries or does not.
Outcome with_source(const TemporaryDirectory& directory, const std::string& waveform, std::vector<std::string> more) {
  more.insert(more.end(), {"--set",
                           "sources=[{type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0], "
                           "injection: {type: scattered_field}, waveform: {" +
                               waveform + "}}]"});
  return run_cavity(directory.path(), more);
}

TEST(warnings_before_a_run, of_sources_beyond_what_the_mesh_carries) {
  // The longest edge is sqrt(3), the diagonal of a cube: at order 2 and f = 0.5, 2 * 2 / 1.732 points; pi at 0.36755.
  const std::string text =
      "warning: the mesh has 2.309 points per wavelength (order times wavelength over longest edge) "
      "at 0.5, the highest frequency of the sources, in element ";
  const TemporaryDirectory directory;
  const Outcome outcome = with_source(directory, "type: sine, frequency: 0.5", {"--check"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(": waves need 3.142, which it has there up to 0.3676; refine it"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find("# points per wavelength: at least 2.309 at 0.5\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(with_source(directory, "type: gaussian_pulse, frequency: 0.25, bandwidth: 0.5", {}).exit_code, 0);
  EXPECT_NE(content_of(directory / "out/summary.json").find("the mesh has 2.309 points"), std::string::npos)
      << "the end of the pulse's spectrum counts";
  EXPECT_EQ(with_source(directory, "type: sine, frequency: 0.25", {"--check"}).err.find("points per wave"),
            std::string::npos);
}

}  // namespace
}  // namespace maxwell_dg::testing
