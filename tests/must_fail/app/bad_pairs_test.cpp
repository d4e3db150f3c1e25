#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "dg/mesh/mesh.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/support/named_faces.hpp"
#include "tests/support/round_guide.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// A tube of four regions along z (each a unit of a box 1 x 1 x 4, `a` to `d`), with a named surface `film` between `b`
/// and `c`, and a group `metal` that holds the face between `c` and `d` and the end z = 4.
dg::Mesh tube() {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {1, 1, 4}, .cells = {3, 3, 8}});
  mesh.regions = {"a", "b", "c", "d"};
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    mesh.cell_region[k] = static_cast<std::int32_t>(centroid(mesh, mesh.cells[k])[2]);
  }
  std::erase_if(mesh.surface_faces,
                [&](const auto& face) { return mesh.surfaces[dg::index(face.surface)] == "z_max"; });
  const auto at = [](double z) { return [z](const dg::Point& x) { return std::abs(x[2] - z) < 1e-9; }; };
  name_faces(mesh, "film", at(2));
  name_faces(mesh, "metal", at(3));
  name_faces(mesh, "metal", at(4));
  dg::prepare(mesh, "tube", dg::Orientation::any);
  return mesh;
}

/// A wave along z between plates that it does not notice; all conditions by name.
const char* const tube_config = R"yaml(units: normalized
mesh: {file: tube.h5}
solver: {order: 1}
time: {end: 30}
materials: [{region: a}, {region: b}, {region: c}, {region: d}]
boundaries:
  - {region: [x_min, x_max], type: pec}
  - {region: [y_min, y_max], type: pmc}
  - {region: z_min, type: absorbing}
  - {region: metal, type: absorbing}
sources:
  - {type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0], injection: {type: scattered_field},
     waveform: {type: gaussian_pulse, frequency: 0.2, bandwidth: 0.2, delay: 14}}
)yaml";

class BadPairs : public ::testing::Test {
 protected:
  Outcome check(const std::vector<std::string>& assignments = {}) {
    dg::write_mesh(tube(), directory_ / "tube.h5");
    std::vector<std::string> arguments = with_set(assignments);
    arguments.emplace_back("--check");
    return run_config(directory_.path(), tube_config, arguments);
  }
  void expect_warning(const std::vector<std::string>& assignments, const std::string& text) {
    const Outcome outcome = check(assignments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::size_t at = outcome.err.find(text);
    ASSERT_NE(at, std::string::npos) << "expected: " << text << "\nsaid: " << outcome.err;
    EXPECT_EQ(outcome.err.compare(outcome.err.rfind('\n', at) + 1, 9, "warning: "), 0) << outcome.err;
  }
  void expect_silence(const std::vector<std::string>& assignments) {
    const Outcome outcome = check(assignments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("warning: "), outcome.err.find("warning: the mesh has")) << outcome.err;
  }
  const TemporaryDirectory directory_;
};

const std::string walls_except_metal =
    "{region: [x_min, x_max], type: pec}, {region: [y_min, y_max], type: pmc}, {region: z_min, type: absorbing}, ";
const std::string on_all = "boundaries=[" + walls_except_metal;
const std::string dipole = "sources=[{type: dipole, at: [0.4, 0.4, 1.3], moment: [0, 0, 1], waveform: ";

TEST_F(BadPairs, a_condition_on_faces_between_elements_of_a_group_with_outer_faces) {
  for (const char* type : {"pec", "pmc", "impedance, impedance: 1"}) {
    expect_silence({on_all + "{region: metal, type: " + type + "}]"});
  }
  expect_error(check({on_all + "{region: metal, type: sheet, resistance: 1}, {region: '*', type: pec}]"}), 2,
               "boundaries.3.region: 18 of 36 faces of it lie at the outside of the mesh, where a sheet does nothing");
  expect_warning({}, "boundaries.3.region: 18 of 36 faces of 'metal' lie between two elements, where `absorbing` does");
  expect_warning({on_all + "{region: '*', type: pec}]"},
                 "boundaries.3.region: 18 of 18 faces of 'film' lie between two elements, where `pec` does nothing: "
                 "\"*\" covers exterior faces alone; for a wall without thickness, give its name");
  expect_error(check({on_all + "{region: [metal, film], type: pec}, {region: film, type: sheet, resistance: 1}]"}), 2,
               "boundaries.4.region: 'film' is already covered by boundaries.3: it is one or the other");
}

TEST_F(BadPairs, a_port_on_a_group_with_faces_between_elements) {
  expect_error(
      check({"boundaries=[{region: '*', type: pec}]", "sources=[]", "ports=[{name: p, boundary: metal, mode: te10}]"}),
      2, "ports.0.boundary: 18 of 36 faces of 'metal' lie between two elements, where a port does nothing");
}

TEST_F(BadPairs, a_scattered_field_of_a_medium_that_reaches_an_absorbing_boundary) {
  for (const auto& [medium, name] :
       {std::pair{"epsilon_r=2.2", "epsilon_r 2.2, mu_r 1"}, std::pair{"mu_r=2", "epsilon_r 1, mu_r 2"},
        std::pair{"sigma=0.1", "a medium with losses"}, std::pair{"epsilon_r=[1, 2, 1]", "an anisotropic medium"},
        std::pair{"dispersion=[{model: debye, delta_epsilon: 1, tau: 1}]", "a medium with poles"}}) {
    const Outcome outcome = check({std::string("materials.3.") + medium});
    expect_error(outcome, 2,
                 std::string("sources.0.injection.type: scattered_field goes with a single medium without losses where "
                             "it leaves the mesh, but there is ") +
                     name + " at the absorbing boundary '");
    expect_error(outcome, 2, ", and elsewhere vacuum: the scattered field cannot leave the mesh there");
  }
  expect_silence({on_all + "{region: '*', type: absorbing}]", "materials.2.epsilon_r=2.2"});
}

TEST_F(BadPairs, a_scattered_field_of_a_medium_or_a_wall_in_the_pml) {
  const std::string pml = "pml={region: [c, d], thickness: 2, reflection: 1e-3}";
  const std::string open = on_all + "{region: '*', type: pec}]";
  for (const auto& [medium, name] :
       {std::pair{"epsilon_r=2.2", "epsilon_r 2.2, mu_r 1"}, std::pair{"sigma=0.1", "a medium with losses"}}) {
    const Outcome outcome = check({pml, open, std::string("materials.3.") + medium});
    expect_error(outcome, 2, std::string("but there is ") + name + " in the PML, in element ");
    expect_error(outcome, 2, ", and elsewhere vacuum: the scattered field");
  }
  // The wave comes in at z_min, in vacuum, and the medium of the PML is what should end before it.
  const Outcome behind = check({open, "pml={region: d, thickness: 1, reflection: 1e-3}", "materials.3.epsilon_r=2.2"});
  expect_error(behind, 2, "but there is epsilon_r 2.2, mu_r 1 in the PML, in element ");
  expect_error(behind, 2, ", and elsewhere vacuum: the scattered field");
  EXPECT_EQ(check({pml, open}).exit_code, 0) << "the wave does not notice these walls";
  expect_error(check({pml, open, "sources.0.polarization=[0, 1, 0]"}), 2,
               "scattered_field does not go with a wall that leads through the PML and scatters the wave, as '");
}

TEST_F(BadPairs, a_scattered_field_and_a_port) {
  expect_error(check({"boundaries=[{region: '*', type: pec}]", "ports=[{name: p, boundary: z_min, mode: te10}]"}), 2,
               "sources.0.injection.type: scattered_field does not go with ports: port 'p' would absorb");
}

TEST_F(BadPairs, a_total_field_that_does_not_reach_a_medium_a_sheet_or_a_wall) {
  const std::string injection = "sources.0.injection={type: total_field, regions: b}";
  const std::string open = on_all + "{region: '*', type: absorbing}]";
  const std::string said = "sources.0.injection.regions: outside of the total-field regions there is ";
  expect_warning({injection, open, "materials.3.epsilon_r=2"}, said + "a medium other than vacuum, in element ");
  expect_warning({injection, on_all + "{region: '*', type: pec}]"}, said + "a wall that scatters, 'metal' (pec), in ");
  expect_warning({"sources.0.injection={type: total_field, regions: a}",
                  "boundaries=[{region: z_min, type: pec}, {region: [x_min, x_max], type: pec}, {region: [y_min, "
                  "y_max], type: pmc}, {region: film, type: sheet, resistance: 1}, {region: '*', type: "
                  "absorbing}]"},
                 said + "a sheet, in ");
  expect_silence({injection, open});
}

TEST_F(BadPairs, a_surface_of_the_total_field_where_the_wave_is_not_known) {
  const std::string injection = "sources.0.injection={type: total_field, regions: b}";
  const std::string open = on_all + "{region: '*', type: absorbing}]";
  const std::string said =
      "sources.0.injection.regions: the surface of the total-field regions must lie in a single medium without losses, "
      "in which the incident wave is known, but there is ";
  const Outcome lossy = check({injection, open, "materials.1.sigma=0.1"});
  expect_error(lossy, 2, said + "a medium with losses in element ");
  expect_error(lossy, 2, "in region 'b', and elsewhere vacuum");
  const Outcome smooth =
      check({injection, open, "materials=[{region: '*', epsilon_r: \"2 + 0.1*z\", profile: smooth}]"});
  expect_error(smooth, 2, said + "a medium that varies within it in element ");
  EXPECT_EQ(smooth.err.find("elsewhere"), std::string::npos) << "nowhere is it known: " << smooth.err;
  EXPECT_EQ(smooth.err.find("vacuum"), std::string::npos) << smooth.err;
}

TEST_F(BadPairs, an_oblique_wave_between_periodic_surfaces) {
  const std::string lattice =
      "boundaries=[{region: x_min, type: periodic, with: x_max}, {region: y_min, type: periodic, with: y_max}, "
      "{region: "
      "'*', type: absorbing}]";
  for (const char* injection : {"scattered_field", "total_field, regions: [b, c]"}) {
    const std::string injected = std::string("sources.0.injection={type: ") + injection + "}";
    EXPECT_EQ(check({lattice, injected}).exit_code, 0);
    expect_error(check({lattice, injected, "sources.0.direction=[0, 0.6, 0.8]"}), 2,
                 "sources.0.direction: does not go with the periodic surfaces 'y_min' and 'y_max' (boundaries.1): ");
  }
}

TEST_F(BadPairs, a_far_field_with_a_sheet_or_a_port_outside) {
  const std::string far = "outputs.far_field={enclosing: a, frequencies: [0.2]}";
  const std::string open = "boundaries=[{region: film, type: sheet, resistance: 1}, {region: '*', type: absorbing}]";
  const std::string there_is =
      "outputs.far_field.enclosing: outside of these regions there must be no sources, "
      "but there is a ";
  expect_error(check({far, open}), 2, there_is + "sheet in '");
  EXPECT_EQ(check({"outputs.far_field={enclosing: [a, b], frequencies: [0.2]}", open}).exit_code, 0)
      << "a sheet may be the surface";
  const std::string driven = dipole + "{type: gaussian_pulse, frequency: 0.9, bandwidth: 0.6}}]";
  expect_error(check({"outputs.far_field={enclosing: [b, c, d], frequencies: [0.9]}", driven, "solver.order=3",
                      "boundaries=[{region: '*', type: pec}]", "ports=[{name: p, boundary: z_min, mode: te10}]"}),
               2, there_is + "port in 'a'");
}

TEST_F(BadPairs, outputs_over_a_waveform_that_is_not_alone) {
  const std::string far = "outputs.far_field={enclosing: [b, c], frequencies: [0.2]}";
  const std::string open = "boundaries=[{region: '*', type: absorbing}]";
  const std::string wave =
      "{type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0], injection: {type: scattered_field}, "
      "waveform: ";
  const std::string pulse = "{type: gaussian_pulse, frequency: 0.2, bandwidth: 0.2, delay: 14}}";
  expect_warning({far, open, "sources=[" + wave + pulse + ", " + wave + "{type: ricker, frequency: 0.2}}]"},
                 "outputs.far_field: is over the first source's waveform, but sources.1 has another time dependence");
  expect_warning({far, open,
                  "sources=[" + wave + pulse +
                      ", {type: dipole, at: [0.4, 0.4, 1.3], moment: [0, 0, 1], waveform: " + pulse + "]"},
                 "outputs.far_field: holds what all sources radiate or scatter together, no radar cross section");
  expect_warning(
      {"outputs.probes=[{name: p, at: [0.5, 0.5, 1]}]", "outputs.probe_spectra={from: 0.15, to: 0.25}", open,
       "sources=[" + wave + pulse + ", " + wave + "{type: ricker, frequency: 0.2}}]"},
      "outputs.probe_spectra: is over the first source's waveform, but sources.1 has another time dependence");
  expect_warning({far, open, "initial_fields.E=['0', '0', 'x']"},
                 "outputs.far_field: is over the first source's waveform, but `initial_fields` drive the fields, too");
}

TEST_F(BadPairs, a_port_between_walls_that_do_not_conduct) {
  const std::string ports = "ports=[{name: p, boundary: z_min, mode: te10}]";
  const std::string driven = "sources=[{type: port, waveform: {type: gaussian_pulse, frequency: 0.9, bandwidth: 0.6}}]";
  EXPECT_EQ(check({ports, driven, "solver.order=3", "boundaries=[{region: '*', type: pec}]"}).exit_code, 0);
  expect_error(
      check({ports, driven, "solver.order=3", "boundaries=[{region: y_max, type: pmc}, {region: '*', type: pec}]"}), 2,
      "ports.0.boundary: 'z_min' meets 'y_max', of type pmc: the guide behind a port must have conducting");
  expect_error(check({ports, driven, "solver.order=3",
                      "boundaries=[{region: y_min, type: periodic, with: y_max}, {region: '*', type: pec}]"}),
               2, "ports.0.boundary: 'z_min' does not end at walls of the mesh on all sides");
}

TEST_F(BadPairs, what_lies_in_the_pml) {
  const std::string pml = "pml={region: [c, d], thickness: 2, reflection: 1e-3}";
  const std::string open = on_all + "{region: '*', type: pec}]";
  const std::string still = "sources=[]";
  expect_warning({pml, open, still, "outputs.probes=[{name: p, at: [0.5, 0.5, 3.3]}]"},
                 "outputs.probes.0.at: probe 'p' lies in the PML, where fields are damped");
  expect_error(check({pml, open, "sources=[{type: current, region: d, density: ['0', '0', 't^2*exp(-t)']}]"}), 2,
               "sources.0.region: the current must not flow in the PML");
  expect_error(
      check({pml, open,
             "sources=[{type: dipole, at: [0.5, 0.5, 2], moment: [0, 0, 1], waveform: {type: ricker, frequency: "
             "0.2}}]"}),
      2, "sources.0.at: lies inside the PML, or on its inner face");
  expect_warning({"pml={region: [b, c, d], thickness: 2, reflection: 1e-3}", open, still},
                 "pml: 108 of 324 elements of the PML do not damp");
  expect_warning({"pml={region: d, thickness: 2, reflection: 1e-3}", open, still},
                 "pml: 18 of 18 inner faces of the PML lie inside of it, the deepest at (");
  expect_warning({on_all + "{region: '*', type: absorbing}]", still,
                  "materials.3.dispersion=[{model: debye, delta_epsilon: 1, tau: 1}]"},
                 "boundaries: an absorbing boundary touches a medium with poles, in element ");
}

TEST_F(BadPairs, numbers_with_which_a_pml_does_not_damp) {
  const std::string open = on_all + "{region: '*', type: pec}]";
  const auto pml = [](const std::string& more) {
    return "pml={region: d, thickness: 1, reflection: 1e-3, " + more + "}";
  };
  expect_error(check({pml("kappa: 60"), open}), 2,
               "pml.kappa: makes the elements of the PML 30.5 times as long along its depth, so that half of them have "
               "less than 0.4");
  expect_error(check({pml("kappa: 101"), open}), 2, "pml.kappa: found '101'; allowed: a number from 1 to 100");
  expect_error(check({pml("alpha: 30"), open}), 2,
               "pml.alpha: is 30, far above the highest frequency of the sources, 0.3");
  expect_error(check({pml("alpha: 3000"), open, "sources=[]"}), 2,
               "pml.alpha: is 3000, far above all that a PML of this thickness is for");
  expect_warning({pml("alpha: 0.25"), open}, "pml.alpha: is above 0.2, the lowest frequency of interest: ");
  expect_warning({pml("alpha: 0.01"), open}, "pml.thickness: the PML is thinner than half a wavelength");
}

TEST_F(BadPairs, round_pml_that_reaches_beyond_its_axis) {
  dg::write_mesh(make_round_guide({.outer = 1, .length = 2, .cells = 2, .layers = 4, .order = 3}),
                 directory_ / "round.h5");
  for (const char* thickness : {"1.2", "1"}) {
    expect_error(
        check({"mesh={file: round.h5}", "materials=[{region: '*'}]", "boundaries=[{region: '*', type: pec}]",
               "sources=[]", "pml={region: interior, thickness: " + std::string(thickness) + "}"}),
        2,
        "pml: the thickness, " + std::string(thickness) +
            ", is not below the radius of the outer boundary, 1: damping would begin at the axis or beyond it");
  }
}

TEST_F(BadPairs, sources_that_begin_with_a_jump) {
  const std::string open = "boundaries=[{region: '*', type: absorbing}]";
  const std::string said =
      "sources.0.waveform: at t = 0 the moment begins with a jump, with up to 1 of its amplitude; ";
  expect_warning({open, dipole + "{type: ricker, frequency: 0.2, delay: 0}}]"}, said + "fields that start at zero");
  expect_warning({open, dipole + "{type: gaussian_pulse, frequency: 0.2, bandwidth: 0.2, delay: 0}}]"}, said);
  expect_warning({open, dipole + "{type: expression, value: 'exp(-t)'}}]"}, said);
  expect_warning({open, dipole + "{type: ricker, frequency: 0.2, delay: 0}, kind: magnetic}]"}, said);
  expect_warning({open, "sources=[{type: current, region: b, density: ['0', 'x*cos(t)', '0']}]"},
                 "sources.0.density: begins with a jump, ");
  for (const char* injection : {"scattered_field", "total_field, regions: [b, c]"}) {
    expect_warning({on_all + (injection[0] == 's' ? "{region: '*', type: pec}]" : "{region: '*', type: absorbing}]"),
                    std::string("sources.0.injection={type: ") + injection + "}", "sources.0.waveform.delay=0"},
                   "sources.0.waveform: at t = 0 the wave is already in the mesh, up to 1 of it; ");
  }
  expect_warning(
      {"boundaries=[{region: '*', type: pec}]", "ports=[{name: p, boundary: z_min, mode: te10}]", "solver.order=3",
       "sources=[{type: port, waveform: {type: gaussian_pulse, frequency: 0.9, bandwidth: 0.6, delay: 0}}]"},
      "sources.0.waveform: at t = 0 the wave of the port begins with a jump, with up to 1 of its amplitude; ");
  expect_error(check({open, dipole + "{type: expression, value: 'log(t)'}}]"}), 2,
               "sources.0.waveform: is not a finite number at t = 0");
  for (const char* smooth :
       {"{type: ricker, frequency: 0.2}", "{type: sine, frequency: 0.2}", "{type: expression, value: 't^3*exp(-t)'}"}) {
    expect_silence({open, dipole + smooth + "}]"});
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
