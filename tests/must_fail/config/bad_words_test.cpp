#include <string>
#include <vector>

#include "tests/must_fail/config/bad.hpp"
#include "tests/unit/config/config_files.hpp"

namespace maxwell_dg::config {
namespace {

/// Keys and values that the config does not know, and what their authors may have meant.
const std::vector<Bad> bad_words{
    {"names_of_other_programs",
     minimal + "solver: {courant: 0.5}\noutputs: {points: []}\n",
     {"FILE:5:10: solver.courant: unknown key; did you mean 'cfl'?",
      "FILE:6:11: outputs.points: unknown key; did you mean 'probes'?"}},
    {"names_of_materials_elsewhere",
     minimal,
     {"--set: materials.0.eps_r: unknown key; did you mean 'epsilon_r'?",
      "--set: materials.0.mu: unknown key; did you mean 'mu_r'?",
      "--set: materials.0.conductivity: unknown key; did you mean 'sigma'?",
      "--set: materials.0.tan_delta: unknown key; losses are given by loss_tangent: {value, from, to}, by sigma or by "
      "dispersion"},
     {"materials=[{region: '*', eps_r: 2, mu: 1, conductivity: 3, tan_delta: 0.1}]"}},
    {"complex_permittivities",
     minimal,
     {"--set: materials.0.epsilon_r: found '2 - 0.1j', which looks like a complex number; that holds at one frequency "
      "alone. Give losses by sigma (2 pi f epsilon_0 times the imaginary part, at frequency f) or by dispersion",
      "--set: materials.1.epsilon_r: found a list, which looks like a complex number",
      "--set: materials.2.epsilon_r: found a mapping, which looks like a complex number",
      "--set: materials.3.mu_r: found '1+2*i', which looks like a complex number; that holds at one frequency alone; a "
      "real number is needed"},
     {"materials=[{region: a, epsilon_r: 2 - 0.1j}, {region: b, epsilon_r: [2, -0.1]}, {region: c, epsilon_r: {re: 2, "
      "im: 1}}, {region: d, mu_r: 1+2*i}]"}},
    {"waveform_and_boundary_of_other_programs",
     minimal +
         "sources: [{type: dipole, at: [0, 0, 0], moment: [0, 0, 1], waveform: {type: gaussian, frequency: 1e9}}]\n",
     {"FILE:5:77: sources.0.waveform.type: found 'gaussian'; allowed: sine, gaussian_pulse, ricker, expression; did "
      "you "
      "mean 'gaussian_pulse'?",
      "--set: boundaries.0.type: found 'PerfectE'; allowed: " + conditions_of(0) +
          ", periodic, pml, sheet; did you mean 'pec'?"},
     {"boundaries.0.type=PerfectE"}},
    {"lumped_ports",
     minimal,
     {"--set: boundaries.0.type: found 'lumped_port'; a lumped port is an entry of `ports` with type: lumped",
      "--set: sources.0.type: found 'lumped_port'; a lumped port is an entry of `ports`",
      "--set: ports.0.type: found 'discrete'; a lumped port is an entry of `ports`",
      "--set: ports.1.resistance: unknown key; a lumped port is an entry of `ports`",
      "--set: ports.2.z0: unknown key; a port at the end of a guide has the impedance of its mode (te10, tem), a "},
     {"boundaries.0.type=lumped_port", "sources=[{type: lumped_port}]",
      "ports=[{name: a, type: discrete, boundary: x}, {name: b, resistance: 50}, {name: c, boundary: x, z0: 50}]"}},
    {"features_that_do_not_exist",
     minimal,
     {"--set: solver.dt: unknown key; the time step is the largest stable one, times solver.cfl",
      "--set: time.decay: unknown key; an end by decay is {until: {decay: ",
      "--set: outputs.gain: unknown key; radiation patterns, directivity and radiated power are of outputs.far_field",
      "--set: outputs.near_field: unknown key; fields in the mesh are outputs.fields",
      "--set: materials.0.drude: unknown key; poles are a list: dispersion: [{model: drude, ",
      "--set: materials.1.type: found 'PEC'; metal is no medium: leave its volume out of the mesh",
      "--set: materials.2.epsilon_xx: unknown key; a tensor is written as epsilon_r: [2, 2, 3]",
      "--set: materials.3.dispersion.0.model: found 'sellmeier'; a term of Sellmeier is `model: lorentz`",
      "--set: boundaries.0.type: found 'conductor'; there is no skin effect yet: ",
      "--set: boundaries.1.mirror: unknown key; planes of symmetry are written as symmetry: [{plane: x, ",
      "--set: boundaries.2.type: found 'rlc'; circuits across gaps are entries of `elements`, ",
      "--set: sources.0.type: found 'voltage'; a source of voltage is ",
      "--set: sources.1.type: found 'gaussian_beam'; there are no beams: ",
      "--set: resistors: unknown key; circuits across gaps are entries of `elements`, ",
      "--set: wires: unknown key; there are no thin wires: ",
      "--set: parameter_sweep: unknown key; a sweep is over angles of a plane wave: ",
      "--set: mirrors: unknown key; planes of symmetry are written as symmetry: "},
     {"materials=[{drude: 1},{type: PEC},{epsilon_xx: 2,epsilon_zz: 3},{region: d,dispersion: [{model: sellmeier}]}]",
      "boundaries=[{region: a, type: conductor}, {region: b, type: pec, mirror: x}, {region: c, type: rlc}]",
      "sources=[{type: voltage, from: a, to: b}, {type: gaussian_beam, waist: 1}]", "resistors=[{type: rlc}]",
      "wires=[{radius: 1}]", "parameter_sweep={}", "mirrors=[{plane: x}]", "outputs={gain: true, near_field: {}}",
      "solver={dt: 1}", "time={end: 1, decay: -40}"}},
    {"names_of_ports_elsewhere",
     minimal,
     {"--set: ports.0.type: found 'waveguide'; the kind of a port is its `mode`",
      "--set: ports.1.mode: found 'microstrip'; ports have the modes TE and TM of a rectangle or a disc and TEM of "
      "two conductors alone",
      "--set: ports.2.boundary: missing; ", "--set: ports.2.region: unknown key; did you mean 'boundary'?"},
     {"ports=[{name: p, type: waveguide, boundary: x, mode: te10}, {name: q, boundary: y, mode: microstrip}, {name: r, "
      "region: z, mode: tem}]"}},
    {"keys_of_a_pole_whose_model_is_misspelt",
     minimal,
     {"--set: materials.0.dispersion.0.model: found 'Drude'; allowed: debye, drude, lorentz; did you mean 'drude'?",
      "--set: materials.0.dispersion.0.omega_p: unknown key; did you mean 'plasma_frequency'?"},
     {"materials=[{region: a, dispersion: [{model: Drude, omega_p: 1e16}]}]"}},
    {"a_choice_in_short",
     minimal + "sources: [{type: port, waveform: sine}]\n",
     {"FILE:5:34: sources.0.waveform: found 'sine'; allowed: a mapping with the keys amplitude, type, frequency, "
      "bandwidth, delay, value; did you mean {type: sine}?"}},
    {"names_are_no_features",
     minimal +
         "outputs: {probes: [{name: wire, at: [0, 0, 0]}]}\nports: [{name: load, boundary: lumped_port, mode: te1}]\n",
     {"FILE:6:51: ports.0.mode: found 'te1'; allowed: tem, "}},
    {"missing_injection",
     minimal + "sources: [{type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0]}]\n",
     {"FILE:5:11: sources.0.waveform: missing; ",
      "; for example waveform: {type: gaussian_pulse, frequency: \"1 GHz\", bandwidth: \"1 GHz\"}\nFILE:5:11: "
      "sources.0.injection: missing; allowed: a mapping with the keys type, regions; for example injection: {type: "
      "scattered_field}, or {type: total_field, regions: [NAME]}"}},
    {"key_of_another_place",
     minimal + "cfl: 0.5\nthickness: 3\n",
     {"FILE:5:1: cfl: unknown key; it has its place as solver.cfl",
      "FILE:6:1: thickness: unknown key; it has its place as boundaries.N.thickness or pml.thickness"}},
    {"truths_of_other_languages",
     minimal,
     {"--set: outputs.energy.balance: found 'False'; allowed: true or false; did you mean false?",
      "--set: materials.0.active: found 'yes'; allowed: true or false; did you mean true?"},
     {"materials.0.active=yes", "outputs.energy={balance: False}"}},
    {"numbers_that_are_texts",
     minimal,
     {"--set: solver.order: found the text '4'; allowed: an integer from 1 to 9; did you mean 4, without quotes?",
      "--set: solver.cfl: found '0,5'; allowed: a number above 0; decimals are written with a point, as in 1.5",
      "--set: outputs.energy.every: found '5.0'; allowed: an integer of at least 1; did you mean 5?"},
     {"solver.order='4'", "solver.cfl=0,5", "outputs.energy={every: 5.0}"}},
    {"units_that_are_nearly_right",
     minimal,
     {"--set: mesh.box.max.0: '5 mmm' has the unknown unit 'mmm'; allowed: a length such as '1.5 mm'; did you mean "
      "'mm'?",
      "--set: time.end: '10 NS' has the unknown unit 'NS'; allowed: a time such as '20 ns'; did you mean 'ns'?"},
     {"time.end=10 NS", "mesh.box.max=[5 mmm, 1, 1]"}},
    {"a_place_for_anchors_by_another_name",
     minimal + "x-fine: &fine {order: 2}\n",
     {"FILE:5:1: x-fine: unknown key; values for aliases have their place under 'anchors'"}},
    {"unknown_key_near",
     minimal + "outputs:\n  fields: {evry: \"0.5 ns\"}\n",
     {"FILE:6:12: outputs.fields.evry: unknown key; did you mean 'every'?"}},
    {"unknown_key_far",
     minimal + "lens: {region: a}\n",
     {"FILE:5:1: lens: unknown key; allowed: units, anchors, constants, mesh"}},
};

INSTANTIATE_TEST_SUITE_P(Words, BadConfig, testing::ValuesIn(bad_words),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace maxwell_dg::config
