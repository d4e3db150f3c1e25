#include <string>

#include "dg/mesh/mesh.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/support/round_guide.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// A guide of 2 by 1 by 3, whose TE10 is cut off at 0.25.
constexpr const char* guide = R"yaml(units: normalized
mesh: {box: {min: [0, 0, 0], max: [2, 1, 3], cells: [2, 1, 3]}}
solver: {order: 1}
time: {end: 60}
materials: [{region: "*", epsilon_r: 1}]
boundaries: [{region: "*", type: pec}]
ports:
  - {name: p1, boundary: z_min, mode: te10}
  - {name: p2, boundary: z_max, mode: te10}
sources: [{type: port, waveform: {type: gaussian_pulse, frequency: 0.4, bandwidth: 0.2}}]
outputs: {s_parameters: {from: 0.35, to: 0.45, count: 3}}
)yaml";

class BadPort : public ::testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& assignments, const std::string& config = guide) {
    return run_config(directory_.path(), config, with_set(assignments));
  }
  const TemporaryDirectory directory_;
};

TEST_F(BadPort, two_of_one_name) {
  expect_error(run({"ports.1.name=p1"}), 2, "ports.1.name: 'p1' is the name of another port already");
}

TEST_F(BadPort, two_on_one_surface_whose_fields_overlap) {
  expect_error(run({"ports.1.boundary=z_min"}), 2,
               "ports.1: has a field that is not orthogonal to that of port 'p1', which has the same surface");
}

TEST_F(BadPort, on_a_surface_that_the_mesh_lacks) {
  expect_error(run({"ports.1.boundary=z_maxx"}), 2, "ports.1.boundary: the mesh has no surface 'z_maxx'");
}

TEST_F(BadPort, on_a_surface_that_has_a_condition) {
  expect_error(run({"boundaries.0.region=[x_min, x_max, y_min, y_max, z_min]"}), 2,
               "ports.0.boundary: 'z_min' is already covered by boundaries.0");
}

TEST_F(BadPort, of_an_unknown_mode) {
  expect_error(run({"ports.0.mode=te1"}), 2, "ports.0.mode: found 'te1'");
}

TEST_F(BadPort, cut_off_where_it_is_wanted) {
  expect_error(run({"outputs.s_parameters.from=0.24", "sources.0.waveform.bandwidth=0.4"}), 2,
               "outputs.s_parameters.from: 0.24 is not above 0.25, where mode te10 of port 'p1' is cut off");
  expect_error(run({"outputs.s_parameters=null", "sources.0.ports=p1", "ports.0.mode=te01"}), 2,
               "sources.0.waveform.frequency: 0.4 is not above 0.5, where mode te01 of port 'p1' is cut off");
}

TEST_F(BadPort, of_a_tm_mode_that_is_cut_off_or_that_no_rectangle_has) {
  expect_error(run({"outputs.s_parameters=null", "sources.0.ports=p1", "ports.0.mode=tm11"}), 2,
               "sources.0.waveform.frequency: 0.4 is not above 0.559, where mode tm11 of port 'p1' is cut off");
  expect_error(run({"ports.0.mode=tm01"}), 2,
               "ports.0: 'z_min' is a rectangle: both numbers of its TM modes, tm11 and so on, are 1 or more");
  expect_error(run({"ports.0.mode=tm10"}), 2, "ports.0.mode: found 'tm10'");
}

TEST_F(BadPort, of_a_coaxial_mode_on_a_rectangle) {
  expect_error(run({"ports.0.mode=tem"}), 2,
               "ports.0.boundary: 'z_min' is not a ring: it has 1 outline; mode tem needs a plane ring");
}

TEST_F(BadPort, of_a_polarization_that_no_mode_of_it_has) {
  expect_error(run({"ports.0.polarization=[1, 0, 0]"}), 2,
               "ports.0: 'z_min' is a rectangle, whose modes have no other polarization; leave it out");
  expect_error(run({"ports.0.polarization=[0, 0, 0]"}), 2, "ports.0.polarization: must not be zero");
}

TEST_F(BadPort, of_a_round_guide) {
  dg::write_mesh(make_round_guide({.outer = 1, .length = 2, .cells = 2, .layers = 2, .order = 3}),
                 directory_.path() / "round.h5");
  const std::vector<std::string> round{"mesh={file: round.h5}", "ports.0.mode=te11", "ports.1.mode=te11"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = round;
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  expect_error(with({"ports.0.mode=te10"}), 2,
               "ports.0: 'z_min' is a disc: the second number of its modes, te11 and so on, is 1 or more");
  expect_error(with({"ports.0.polarization=[0, 0, 1]"}), 2,
               "ports.0: 'z_min' has a polarization that does not lie in the plane of the port");
  expect_error(with({"ports.0.mode=tem"}), 2, "ports.0.boundary: 'z_min' is not a ring: it has 1 outline");
}

TEST_F(BadPort, in_a_medium_that_does_not_do) {
  expect_error(run({"materials.0.sigma=0.1"}), 2, "ports.0: lies in a medium with losses");
  expect_error(run({"materials.0.epsilon_r=1 + x"}), 2, "ports.0: lies in more than one medium (epsilon_r ");
  expect_error(run({"materials.0.dispersion=[{model: debye, delta_epsilon: 1, tau: 1}]"}), 2, "ports.0: touches");
}

TEST_F(BadPort, frequencies_that_the_pulse_does_not_hold) {
  expect_error(run({"outputs.s_parameters.to=0.7"}), 2, "outputs.s_parameters.to: 0.7 is not in the first source");
  expect_error(run({"sources.0.waveform={type: sine, frequency: 0.4}"}), 2, "a sine holds a single frequency");
}

TEST_F(BadPort, a_band_that_the_mesh_does_not_carry) {
  expect_error(run({}), 2,
               "outputs.s_parameters.to: the mesh does not resolve 0.45: half of its elements have at most ");
}

TEST_F(BadPort, a_run_too_short_for_the_pulses) {
  expect_error(run({"time.end=30"}), 2,
               "time: too short: each driven port has 15, and its pulse has not entered by then");
}

TEST_F(BadPort, a_source_without_ports) {
  expect_error(run({"ports=[]"}), 2, "sources.0: needs `ports`, of which there are none");
  expect_error(run({"sources.0.ports=p3"}), 2, "sources.0.ports: no port has the name 'p3'");
}

TEST_F(BadPort, s_parameters_without_a_source_of_ports_alone) {
  expect_error(run({"sources=[]"}), 2, "outputs.s_parameters: needs a source of type port, and no other source");
}

TEST_F(BadPort, several_driven_where_that_is_of_no_use) {
  expect_error(run({"outputs.s_parameters=null"}), 2, "sources.0: drives several ports one after the other");
}

}  // namespace
}  // namespace maxwell_dg::testing
