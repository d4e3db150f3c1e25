#include <array>

#include "core/atomic_file.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

class BadConfig : public ::testing::Test {
 protected:
  /// The cavity with one value replaced.
  Outcome run(const std::string& assignment) { return run_cavity(directory_.path(), {"--set", assignment}); }
  /// The cavity with a piece of its text replaced.
  Outcome run_with(const std::string& old_text, const std::string& new_text) {
    std::string config = cavity_config();
    const std::size_t at = config.find(old_text);
    EXPECT_NE(at, std::string::npos) << old_text;
    return run_text(config.replace(at, old_text.size(), new_text));
  }
  Outcome run_text(const std::string& config) {
    write_file_atomically(directory_ / "bad.yaml", config);
    return run_program({(directory_ / "bad.yaml").string(), "--output", (directory_ / "out").string()},
                       directory_.path());
  }
  const TemporaryDirectory directory_;
};

TEST_F(BadConfig, a_missing_file) {
  const std::string path = (directory_ / "missing.yaml").string();
  expect_error(run_program({path}, directory_.path()), 2, "error: " + path + ": no such file");
}

TEST_F(BadConfig, a_text_that_is_no_yaml) {
  expect_error(run_text("mesh: [1, 2\nsolver: {"), 2, "bad.yaml:2:7: not valid YAML: ");
}

TEST_F(BadConfig, an_unknown_key_with_a_suggestion_and_its_place) {
  expect_error(run_with("order: 2", "ordre: 2"), 2, "bad.yaml:4:10: solver.ordre: unknown key; did you mean 'order'?");
}

TEST_F(BadConfig, several_errors_at_once) {
  const Outcome outcome = run_with("order: 2, precision: double", "ordre: 2, precision: triple");
  expect_error(outcome, 2, "solver.ordre");
  expect_error(outcome, 2, "solver.precision");
}

TEST_F(BadConfig, a_wrong_type) {
  expect_error(run("solver.order=two"), 2, "solver.order: found 'two'; allowed: an integer from 1 to 9");
}

TEST_F(BadConfig, a_wrong_unit) {
  expect_error(run("time.end=2 kg"), 2, "time.end: found '2 kg'; allowed: a bare number, because units are normalized");
  expect_error(run_cavity(directory_.path(), {"--set", "units=si", "--set", "time.end=2 kg"}), 2,
               "time.end: '2 kg' has a unit of another kind; allowed: a time such as '20 ns'");
}

TEST_F(BadConfig, a_value_out_of_range) {
  expect_error(run("solver.cfl=-1"), 2, "solver.cfl: found '-1'; allowed: a number above 0");
  expect_error(run("materials.0.epsilon_r=0"), 2, "materials.0.epsilon_r: found '0'; allowed: a number above 0");
}

TEST_F(BadConfig, orders_out_of_range) {
  expect_error(run("solver.order=0"), 2, "solver.order: found '0'; allowed: an integer from 1 to 9");
  expect_error(run("solver.order=12"), 2, "solver.order: found '12'; allowed: an integer from 1 to 9");
}

TEST_F(BadConfig, a_key_of_a_later_version) {
  expect_error(run_text(cavity_config() + "sweeps: [{name: p1}]\n"), 2, "sweeps: unknown key");
}

TEST_F(BadConfig, a_region_without_material) {
  const Outcome outcome = run_with("region: interior", "region: air");
  expect_error(outcome, 2, "bad.yaml:7:14: materials.0.region: the mesh has no volume region 'air'; it has: interior");
  expect_error(outcome, 2, "materials: 24 tetrahedra of 'interior' are not covered (first at (");
}

TEST_F(BadConfig, an_exterior_face_without_a_condition) {
  expect_error(run("boundaries.0.region=x_min"), 2,
               "boundaries: 4 exterior faces of 'x_max' are not covered (first at (1, ");
}

TEST_F(BadConfig, a_surface_that_the_mesh_does_not_have) {
  expect_error(run("outputs.surface_fields={surfaces: [zmax], count: 2}"), 2,
               "outputs.surface_fields.surfaces: the mesh has no surface 'zmax'; it has: ");
}

TEST_F(BadConfig, a_probe_outside_the_mesh) {
  expect_error(run("outputs.probes.0.at=[0, 0, 5]"), 2,
               "outputs.probes.0.at: probe 'p1' at (0, 0, 5) lies outside of the mesh, which spans (");
}

TEST_F(BadConfig, a_probe_or_a_dipole_in_a_hole_of_the_mesh) {
  const auto check = [&](const std::string& assignment) {
    return run_program({"--check", MAXWELL_DG_SOURCE_DIR "/configs/sphere_rcs.yaml", "--set", assignment},
                       directory_.path());
  };
  const std::string said =
      " lies in no element: the mesh has a hole there, or ends before; its nearest boundary is "
      "'metal', 0.09";
  expect_error(check("outputs.probes=[{name: p, at: [0, 0, 0]}]"), 2,
               "outputs.probes.0.at: probe 'p' at (0, 0, 0) m" + said);
  expect_error(
      check("sources.0={type: dipole, at: [0, 0, 0], moment: [0, 0, 1], waveform: {type: ricker, frequency: 5e8}}"), 2,
      "sources.0.at: the dipole" + said);
}

TEST_F(BadConfig, an_expression_with_an_unknown_name) {
  expect_error(run_with("cos(pi*x/2)*cos(pi*y/2)\"]", "cosh(pi*q)\"]"), 2,
               "bad.yaml:12:26: initial_fields.E.2: unknown name 'q'; known: w, x, y, z, pi");
}

TEST_F(BadConfig, an_expression_with_a_syntax_error) {
  expect_error(run_with("cos(pi*x/2)*cos(pi*y/2)\"]", "cos(pi*x/2\"]"), 2,
               "bad.yaml:12:28: initial_fields.E.2: missing ')' for the '(' at column 4");
}

TEST_F(BadConfig, a_division_by_zero_on_the_mesh) {
  expect_error(run_with("cos(pi*x/2)*cos(pi*y/2)\"]", "1/x\"]"), 2,
               "bad.yaml:12:17: initial_fields.E.2: is not a finite number at (0, ");
  expect_error(run_with("cos(pi*x/2)*cos(pi*y/2)*cos(w*t)", "1/(t-2)"), 2, "reference_solution.E.2: is not a finite");
}

TEST_F(BadConfig, sources_that_contradict_the_mesh) {
  const auto with_wave = [&](const std::string& more) {
    return cavity_config() +
           "sources:\n  - {type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0],"
           " waveform: {type: ricker, frequency: 0.5}, injection: {type: total_field, regions: interior}}\n" +
           more;
  };
  expect_error(run_text(with_wave("")), 2,
               "sources.0.injection.regions: the total-field regions have no surface inside the mesh");
  std::string open = with_wave("");
  open.replace(open.find("type: pec"), 9, "type: absorbing");
  expect_error(run_text(open), 2, "sources.0.injection.regions: the total-field regions touch an absorbing boundary");
  expect_error(run_text(with_wave("pml: {region: interior, thickness: 0.1}\n")), 2,
               "sources.0.injection.regions: a total-field region must not be part of the PML");
  const std::string waveform = "waveform: {type: ricker, frequency: 0.5}";
  expect_error(
      run_text(cavity_config() + "sources:\n  - {type: dipole, at: [0, 0, 7], moment: [1, 0, 0], " + waveform + "}\n"),
      2, "sources.0.at: the dipole lies outside of the mesh");
  expect_error(
      run_text(cavity_config() + "sources:\n  - {type: current, region: interor, density: ['0', '0', 'sin(t)']}\n"), 2,
      "sources.0.region: the mesh has no volume region 'interor'");
}

TEST_F(BadConfig, periodic_surfaces_that_do_not_fit) {
  const std::string old = "{region: \"*\", type: pec}";
  expect_error(run_with(old, "{region: x_min, type: periodic, with: y_min}\n  - " + old), 3,
               "bad.yaml:9:5: boundaries.0: the surfaces 'x_min' and 'y_min' do not match: the vertex at (");
  expect_error(run_with(old, "{region: x_min, type: periodic, with: x_max}\n  - " + old), 3,
               "bad.yaml:9:5: boundaries.0: fewer than three cells lie between 'x_min' and 'x_max' at (");
  expect_error(run_with(old, "{region: x_min, type: periodic, with: x_mux}\n  - " + old), 2,
               "bad.yaml:9:43: boundaries.0.with: the mesh has no surface 'x_mux'; it has: x_min, x_max, y_min, y_max, "
               "z_min, z_max; did you mean 'x_max'?");
}

TEST_F(BadConfig, more_steps_than_anybody_waits_for) {
  expect_error(run("time.end=1e300"), 2, "time.end: would take over 1e12 steps");
  expect_error(run_cavity(directory_.path(), {"--set", "units=si", "--set", "time.end=2000 s"}), 2,
               "--set: time.end: would take over 1e12 steps: the largest stable step, times cfl, is ");
  expect_error(run_cavity(directory_.path(), {"--set", "units=si", "--set", "time.end=2000"}), 2,
               "; did you mean '2000 ns'?");
}

TEST_F(BadConfig, a_mesh_larger_than_device_memory_is_refused_before_anything_starts) {
  const Outcome outcome = run("mesh.box.cells=[400, 400, 400]");
  expect_error(outcome, 4, "384000000 elements of order 2 need ");
  EXPECT_FALSE(std::filesystem::exists(directory_ / "out/energy.csv"));
  expect_error(run_cavity(directory_.path(), {"--check", "--set", "mesh.box.cells=[400, 400, 400]"}), 4,
               " of device memory, and ");
}

}  // namespace
}  // namespace maxwell_dg::testing
