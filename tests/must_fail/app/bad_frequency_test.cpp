#include <string>

#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

std::string plane_wave(const std::string& waveform) {
  return "sources=[{type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0], waveform: {" + waveform +
         "}, injection: {type: scattered_field}}]";
}
const std::string pulse = plane_wave("type: gaussian_pulse, frequency: 0.5, bandwidth: 0.2");

/// The cavity, driven, with frequencies that cannot be.
class BadFrequency : public ::testing::Test {
 protected:
  Outcome run(const std::string& source, const std::string& output) {
    return run_cavity(directory_.path(), {"--set", source, "--set", output});
  }
  const TemporaryDirectory directory_;
};

TEST_F(BadFrequency, outside_of_a_pulse) {
  expect_error(run(pulse, "outputs.frequency_fields={frequencies: [0.5, 3]}"), 2,
               "outputs.frequency_fields.frequencies.1: 3 is not in the first source, whose spectrum is below -60 dB "
               "there; it peaks at 0.5");
}

TEST_F(BadFrequency, another_than_that_of_a_sine) {
  expect_error(run(plane_wave("type: sine, frequency: 2"), "outputs.frequency_fields={frequencies: [2.1]}"), 2,
               "outputs.frequency_fields.frequencies.0: 2.1 is not in the first source, a sine of 2");
}

TEST_F(BadFrequency, a_sine_of_too_few_periods) {
  expect_error(run(plane_wave("type: sine, frequency: 0.5"), "outputs.frequency_fields={frequencies: [0.5]}"), 2,
               "outputs.frequency_fields.frequencies: a sine needs a run of at least two periods");
}

TEST_F(BadFrequency, that_the_mesh_does_not_carry) {
  expect_error(
      run("sources=[]", "outputs.frequency_fields={frequencies: [0.2, 0.8, 0.4]}"), 2,
      "outputs.frequency_fields.frequencies.1: the mesh does not resolve 0.8: half of its elements have at most "
      "1.443 points per wavelength (order times wavelength over longest edge); 2 are needed, which they have up "
      "to 0.5774; make edges 1.386 times shorter, or take solver.order 3");
  expect_error(run(plane_wave("type: sine, frequency: 6"), "outputs.fields=null"), 2,
               "sources.0.waveform.frequency: the mesh does not resolve 6: ");
}

/// The cavity with a surface that cannot be. It has one region, `interior`.
class BadFarField : public ::testing::Test {
 protected:
  Outcome run(const std::string& output, const std::string& source = pulse) {
    return run_cavity(directory_.path(), {"--set", source, "--set", "outputs.far_field=" + output});
  }
  const TemporaryDirectory directory_;
};

TEST_F(BadFarField, around_a_region_that_the_mesh_does_not_have) {
  expect_error(run("{enclosing: interor, frequencies: [0.5]}"), 2,
               "outputs.far_field.enclosing: the mesh has no volume region 'interor'; it has: interior; did you mean");
}

TEST_F(BadFarField, around_the_whole_mesh) {
  expect_error(run("{enclosing: interior, frequencies: [0.5]}"), 2,
               "outputs.far_field.enclosing: no face of the mesh lies between these regions and others; leave a region "
               "outside");
}

TEST_F(BadFarField, without_a_plane_wave) {
  expect_error(run("{enclosing: interior, frequencies: [0.5]}", "sources=[]"), 2,
               "outputs.far_field: needs a source: a plane wave, a dipole, a current or a port");
}

TEST_F(BadFarField, within_a_medium_with_losses) {
  const std::string config = MAXWELL_DG_SOURCE_DIR "/configs/dielectric_interface.yaml";
  expect_error(run_program({config, "--output", (directory_ / "out").string(), "--set", "outputs.fields=null", "--set",
                            pulse, "--set", "outputs.far_field={enclosing: left, frequencies: [0.5]}", "--set",
                            "materials.1.sigma=0.1"},
                           directory_.path()),
               2,
               "outputs.far_field.enclosing: outside of these regions all must be one medium without losses, "
               "poles and tensors, but there is another one in 'right'");
}

TEST_F(BadFarField, within_the_total_field) {
  const std::string config = MAXWELL_DG_SOURCE_DIR "/configs/dielectric_interface.yaml";
  std::string total = pulse;
  total.replace(total.find("scattered_field"), 15, "total_field, regions: right");
  expect_error(
      run_program(
          {config, "--output", (directory_ / "out").string(), "--set", "outputs.fields=null", "--set", total, "--set",
           "materials.1.epsilon_r=1", "--set", "outputs.far_field={enclosing: left, frequencies: [0.5]}"},
          directory_.path()),
      2, "outputs.far_field.enclosing: must contain the total-field regions, but there is one outside in 'right'");
}

TEST_F(BadFarField, between_periodic_surfaces) {
  expect_error(run_cavity(directory_.path(),
                          {"--set", pulse, "--set", "mesh.box.cells=[3, 1, 1]", "--set",
                           "boundaries=[{region: x_min, type: periodic, with: x_max}, {region: '*', type: absorbing}]",
                           "--set", "outputs.far_field={enclosing: interior, frequencies: [0.5]}"}),
               2, "outputs.far_field: needs open space on all sides, but some boundaries are periodic");
}

TEST_F(BadFarField, beside_a_wall) {
  const std::string config = MAXWELL_DG_SOURCE_DIR "/configs/dielectric_interface.yaml";
  expect_error(run_program({config, "--output", (directory_ / "out").string(), "--set", "outputs.fields=null", "--set",
                            pulse, "--set", "materials.1.epsilon_r=1", "--set",
                            "outputs.far_field={enclosing: left, frequencies: [0.5]}"},
                           directory_.path()),
               2,
               "outputs.far_field.enclosing: outside of these regions all must be open space, but there is a boundary "
               "of type pec in 'right'; a conducting plane that they stand on is `ground`");
}

TEST_F(BadFarField, with_angles_from_above_to_below) {
  expect_error(run("{enclosing: interior, frequencies: [0.5], theta: {from: 90, to: 0}}"), 2,
               "outputs.far_field.theta.to: must not be below from");
}

TEST_F(BadFarField, of_sound) {
  const std::string config = MAXWELL_DG_SOURCE_DIR "/configs/acoustics_box.yaml";
  expect_error(run_program({config, "--output", (directory_ / "out").string(), "--set",
                            "outputs.far_field={enclosing: interior, frequencies: [0.5]}"},
                           directory_.path()),
               2, "outputs.far_field: is for Maxwell's equations");
}

}  // namespace
}  // namespace maxwell_dg::testing
