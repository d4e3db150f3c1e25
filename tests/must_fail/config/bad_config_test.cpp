#include <algorithm>
#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "core/error.hpp"
#include "tests/unit/config/config_files.hpp"

namespace maxwell_dg::config {
namespace {

/// A bad config, and what must be said about it; FILE stands for its path.
struct Bad {
  std::string name;
  std::string text;
  std::vector<std::string> lines;
  std::vector<std::string> overrides{};
};

void PrintTo(const Bad& bad, std::ostream* out) {
  *out << bad.name;
}

// `minimal` has four lines; what is appended starts in line 5.
const std::vector<Bad> bad_configs{
    {"empty_file", "", {"FILE: found nothing; allowed: a mapping with the keys units, anchors, constants, mesh"}},
    {"list_at_top", "- 1\n", {"FILE:1:1: found a list; allowed: a mapping with the keys units"}},
    {"text_at_top", "hello\n", {"FILE:1:1: found 'hello'; allowed: a mapping with the keys units"}},
    {"not_yaml", "mesh: [1, 2\n", {"FILE:2:1: not valid YAML: "}},
    {"tab_indentation",
     "mesh:\n\tbox: 1\n",
     {"FILE:2:5: not valid YAML: illegal map value; YAML is indented with blanks, not tabs"}},
    {"two_documents", minimal + "---\n" + minimal, {"FILE: more than one YAML document"}},
    {"duplicate_key", minimal + "time: {end: 1}\n", {"FILE:5:1: the key 'time' appears twice; first in line 2"}},
    {"alias_inside_of_itself", "a: &a [*a]\n", {"FILE:1:8: an alias inside of the node that it names"}},
    {"names_that_would_be_more_than_names",
     minimal + "outputs:\n  probes:\n    - {name: \"a,b\", at: [0, 0, 0]}\n    - {name: \"a\\nb\", at: [0, 0, 0]}\n" +
         "    - {name: \"=1+1\", at: [0, 0, 0]}\n    - {name: \"@a\", at: [0, 0, 0]}\n" +
         "    - {name: \" a\", at: [0, 0, 0]}\n    - {name: \"a\\e[1m\", at: [0, 0, 0]}\n" +
         "    - {name: \"R\xe4ume\", at: [0, 0, 0]}\n",
     {"FILE:7:14: outputs.probes.0.name: must not hold commas, quotes or line breaks",
      "FILE:8:14: outputs.probes.1.name: must not hold commas, quotes or line breaks",
      "FILE:9:14: outputs.probes.2.name: must not begin with =, +, - or @: spreadsheets would take it for a formula",
      "FILE:10:14: outputs.probes.3.name: must not begin with =, +, - or @",
      "FILE:11:14: outputs.probes.4.name: must not begin or end with a blank",
      "FILE:12:14: outputs.probes.5.name: must be one line of UTF-8, without control characters",
      "FILE:13:14: outputs.probes.6.name: must be one line of UTF-8, without control characters"}},
    {"names_of_ports_that_would_be_rows",
     minimal + "ports:\n  - {name: \"p1\\n9e9 7 7\", boundary: x_min, mode: te10}\n" +
         "  - {name: \"p2,\\\"x\\\"\", boundary: x_max, mode: te10}\n",
     {"FILE:6:12: ports.0.name: must not hold commas, quotes or line breaks",
      "FILE:7:12: ports.1.name: must not hold commas, quotes or line breaks"}},
    {"names_of_regions_and_surfaces_in_two_lines",
     minimal + "pml: {region: \"a\\u2028b\", thickness: 1}\n" +
         "sources:\n  - {type: current, region: [\"a\\nerror: b\"], density: [\"0\", \"0\", \"0\"]}\n",
     {"FILE:5:15: pml.region: must be one line of UTF-8, without control characters",
      "FILE:7:30: sources.0.region.0: must be one line of UTF-8, without control characters"}},
    {"names_of_other_programs",
     minimal + "solver: {courant: 0.5}\noutputs: {points: []}\n",
     {"FILE:5:10: solver.courant: unknown key; did you mean 'cfl'?",
      "FILE:6:11: outputs.points: unknown key; did you mean 'probes'?"}},
    {"names_of_materials_elsewhere",
     minimal,
     {"--set: materials.0.eps_r: unknown key; did you mean 'epsilon_r'?",
      "--set: materials.0.mu: unknown key; did you mean 'mu_r'?",
      "--set: materials.0.conductivity: unknown key; did you mean 'sigma'?",
      "--set: materials.0.tan_delta: unknown key; give losses by sigma (2 pi f epsilon_0 epsilon_r tan(delta), at one "
      "frequency f) or by dispersion"},
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
     {"--set: boundaries.0.type: found 'lumped_port'; there are no lumped ports yet: feed by a piece of coaxial line "
      "with a port of `mode: tem`, or by a dipole in the gap",
      "--set: sources.0.type: found 'lumped_port'; there are no lumped ports yet",
      "--set: ports.0.type: found 'lumped'; there are no lumped ports yet",
      "--set: ports.1.resistance: unknown key; there are no lumped ports yet",
      "--set: ports.2.impedance: unknown key; a port has the impedance of its mode (te10, tem), and there are no "
      "lumped "
      "ports yet",
      "--set: ports.3.mode: found 'Lumped'; there are no lumped ports yet"},
     {"boundaries.0.type=lumped_port", "sources=[{type: lumped_port}]",
      "ports=[{name: a, type: lumped, boundary: x, impedance: 50 ohm, from: t, to: g}, {name: b, resistance: 50}, "
      "{name: c, boundary: x, impedance: 50}, {name: d, mode: Lumped, R: 50}]"}},
    {"features_that_do_not_exist",
     minimal,
     {"--set: solver.dt: unknown key; the time step is the largest stable one, times solver.cfl",
      "--set: time.decay: unknown key; there is no end by decay yet: ",
      "--set: outputs.gain: unknown key; radiation patterns, directivity and radiated power are of outputs.far_field",
      "--set: outputs.near_field: unknown key; fields in the mesh are outputs.fields",
      "--set: materials.0.drude: unknown key; poles are a list: dispersion: [{model: drude, ",
      "--set: materials.1.type: found 'PEC'; metal is no medium: leave its volume out of the mesh",
      "--set: materials.2.epsilon_xx: unknown key; a tensor is written as epsilon_r: [2, 2, 3]",
      "--set: materials.3.dispersion.0.model: found 'sellmeier'; a term of Sellmeier is `model: lorentz`",
      "--set: boundaries.0.type: found 'conductor'; there is no skin effect yet: ",
      "--set: boundaries.1.mirror: unknown key; planes of symmetry are written as symmetry: [{plane: x, kind: "
      "electric}]",
      "--set: boundaries.2.type: found 'rlc'; there are no lumped elements yet: ",
      "--set: sources.0.type: found 'voltage'; there are no voltage sources yet: ",
      "--set: sources.1.type: found 'gaussian_beam'; there are no beams: ",
      "--set: elements: unknown key; there are no lumped elements yet: ",
      "--set: wires: unknown key; there are no thin wires: ", "--set: sweep: unknown key; there are no sweeps yet: ",
      "--set: mirrors: unknown key; planes of symmetry are written as symmetry: "},
     {"materials=[{region: a, drude: {wp: 1}}, {region: b, type: PEC}, {region: c, epsilon_xx: 2, epsilon_zz: 3}, "
      "{region: d, dispersion: [{model: sellmeier, B: 1, C: 2}]}]",
      "boundaries=[{region: a, type: conductor, sigma: 5.8e7}, {region: b, type: pec, mirror: x}, {region: c, "
      "type: "
      "rlc, resistance: 50, inductance: 1}]",
      "sources=[{type: voltage, from: a, to: b}, {type: gaussian_beam, waist: 1}]", "elements=[{type: rlc}]",
      "wires=[{radius: 1}]", "sweep={}", "mirrors=[{plane: x}]", "outputs={gain: true, near_field: {}}",
      "solver={dt: 1}", "time={end: 1, decay: -40}"}},
    {"names_of_ports_elsewhere",
     minimal,
     {"--set: ports.0.type: found 'waveguide'; the kind of a port is its `mode`",
      "--set: ports.1.mode: found 'microstrip'; ports have the modes TE and TM of a rectangle or a disc and TEM of a "
      "ring alone",
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
    {"merge_of_no_mapping",
     minimal + "solver: {<<: 4}\n",
     {"FILE:5:14: found '4' under '<<'; allowed: a mapping whose keys are merged into this one, as in '<<: *name', or "
      "a list of such"}},
    {"merge_of_a_list_of_lists", minimal + "solver: {<<: [[]]}\n", {"FILE:5:15: found a list under '<<'; allowed: "}},
    {"merge_of_nothing", minimal + "solver:\n  <<:\n", {"found nothing under '<<'; allowed: "}},
    {"two_merge_keys",
     minimal + "solver: {<<: {}, <<: {}}\n",
     {"FILE:5:18: the key '<<' appears twice; first in line 5"}},
    {"quoted_merge_key", minimal + "solver: {\"<<\": {}}\n", {"FILE:5:10: solver.<<: unknown key; allowed: order"}},
    {"a_merged_value_is_blamed_where_it_stands",
     "anchors:\n  fine: &fine {order: 12, flux: central}\n" + minimal + "solver: {<<: *fine, ordr: 2}\n",
     {"FILE:2:23: solver.order: found '12'; allowed: an integer from 1 to 9",
      "FILE:7:21: solver.ordr: unknown key; did you mean 'order'?"}},
    {"a_place_for_anchors_by_another_name",
     minimal + "x-fine: &fine {order: 2}\n",
     {"FILE:5:1: x-fine: unknown key; values for aliases have their place under 'anchors'"}},
    {"nested_too_deeply",
     minimal + "anchors: " + std::string(1000, '[') + std::string(1000, ']') + "\n",
     {"not valid YAML: it is nested too deeply"}},
    {"everything_missing",
     "units: si\n",
     {"FILE:1:1: mesh: missing; allowed: a mapping with the keys file, scale, order, size, box",
      "FILE:1:1: time: missing; ", "FILE:1:1: materials: missing; "}},
    {"unknown_key_near",
     minimal + "outputs:\n  fields: {evry: \"0.5 ns\"}\n",
     {"FILE:6:12: outputs.fields.evry: unknown key; did you mean 'every'?"}},
    {"unknown_key_far",
     minimal + "lens: {region: a}\n",
     {"FILE:5:1: lens: unknown key; allowed: units, anchors, constants, mesh"}},
    {"wrong_type_map_for_number",
     minimal + "solver: {cfl: {a: 1}}\n",
     {"FILE:5:15: solver.cfl: found a mapping; allowed: a number above 0"}},
    {"wrong_type_text_for_integer",
     minimal + "solver: {order: \"4\"}\n",
     {"FILE:5:17: solver.order: found the text '4'; allowed: an integer from 1 to 9"}},
    {"wrong_type_fraction_for_integer",
     minimal + "solver: {order: 2.5}\n",
     {"FILE:5:17: solver.order: found '2.5'; allowed: an integer from 1 to 9"}},
    {"wrong_type_scalar_for_map",
     minimal + "solver: 4\n",
     {"FILE:5:9: solver: found '4'; allowed: a mapping with the"}},
    {"wrong_type_map_for_list",
     minimal + "outputs: {probes: {name: a}}\n",
     {"FILE:5:19: outputs.probes: found a mapping; allowed: a list, each a mapping with the keys name, at; a list of "
      "one is "
      "[{...}]"}},
    {"empty_value", minimal + "solver:\n", {"FILE:6:1: solver: found nothing; allowed: a mapping"}},
    {"order_0",
     minimal + "solver: {order: 0}\n",
     {"FILE:5:17: solver.order: found '0'; allowed: an integer from 1 to 9"}},
    {"order_12",
     minimal + "solver: {order: 12}\n",
     {"FILE:5:17: solver.order: found '12'; allowed: an integer from 1 to 9"}},
    {"not_a_number",
     minimal + "solver: {cfl: .nan}\n",
     {"FILE:5:15: solver.cfl: found '.nan'; allowed: a number above 0"}},
    {"word_near",
     minimal + "solver: {precision: duble}\n",
     {"FILE:5:21: solver.precision: found 'duble'; allowed: single, double; did you mean 'double'?"}},
    {"flux_out_of_range",
     minimal + "solver: {flux: 1.5}\n",
     {"FILE:5:16: solver.flux: found '1.5'; allowed: upwind, central, or a number from 0 to 1"}},
    {"later_integrator",
     minimal + "solver: {integrator: rk4}\n",
     {"FILE:5:22: solver.integrator: found 'rk4'; allowed: "}},
    {"wrong_dimension",
     minimal,
     {"--set: time.end: '10 mm' is a length; allowed: a time such as '20 ns'"},
     {"time.end=10 mm"}},
    {"unknown_unit",
     minimal,
     {"--set: time.end: '10 lightyears' has the unknown unit 'lightyears'; allowed: a time such as '20 ns'"},
     {"time.end=10 lightyears"}},
    {"negative_time", minimal, {"--set: time.end: found '-1'; allowed: a time above 0"}, {"time.end=-1"}},
    {"unit_in_normalized_units",
     "units: normalized\n" + minimal,
     {"FILE:3:13: time.end: found the text '10 ns'; allowed: a bare number, because units are normalized"}},
    {"no_file_and_no_box",
     minimal,
     {"--set: mesh: found none; exactly one of file and box is needed"},
     {"mesh={scale: 2}"}},
    {"order_of_a_mesh_that_is_one_already",
     minimal,
     {"--set: mesh.order: is for files that the program meshes (.geo, .step, .iges, .brep); a.msh is a mesh already",
      "--set: mesh.size: is for files that the program meshes"},
     {"mesh={file: a.msh, order: 3, size: 5 mm}"}},
    {"size_of_an_hdf5_mesh",
     minimal,
     {"--set: mesh.size: is for files that the program meshes (.geo, .step, .iges, .brep); b.h5 is a mesh already"},
     {"mesh={file: x/b.h5, size: 1}"}},
    {"order_of_the_geometry_of_a_box",
     minimal,
     {"--set: mesh.order: belongs to mesh.file; the box has its own size and cells"},
     {"mesh.order=2"}},
    {"order_of_the_geometry_10",
     minimal,
     {"--set: mesh.order: found '10'; allowed: an integer from 1 to 9"},
     {"mesh={file: a.step, order: 10}"}},
    {"order_of_the_geometry_0",
     minimal,
     {"--set: mesh.order: found '0'; allowed: an integer from 1 to 9"},
     {"mesh={file: a.step, order: 0}"}},
    {"size_that_is_no_length",
     minimal,
     {"--set: mesh.size: '5 GHz' is a frequency; allowed: a length such as '1.5 mm'"},
     {"mesh={file: a.step, size: 5 GHz}"}},
    {"curved_mesh_by_another_key",
     minimal,
     {"mesh.curved: unknown key; mesh.order is the order of the geometry of the elements"},
     {"mesh={file: a.step, curved: true}"}},
    {"file_and_box",
     minimal,
     {"FILE:1:7: mesh: found file and box; exactly one of file and box is needed"},
     {"mesh.file=a.msh"}},
    {"empty_text", minimal, {"--set: mesh.file: found an empty text; allowed: the path of a"}, {"mesh={file: \"\"}"}},
    {"empty_box",
     minimal,
     {"--set: mesh.box.max.1: must be above min.1"},
     {"mesh.box.min=[0, 0, 0]", "mesh.box.max=[1, 0, 1]"}},
    {"no_cells", minimal, {"--set: mesh.box.cells.2: found '0'; allowed: an integer from 1"}, {"mesh.box.cells.2=0"}},
    {"vector_of_two",
     minimal,
     {"--set: mesh.box.min: found a list of 2; allowed: a list of 3, each a length"},
     {"mesh.box.min=[0, 0]"}},
    {"no_materials", minimal, {"--set: materials: found a list of 0; allowed: a list of at least 1"}, {"materials=[]"}},
    {"material_without_region",
     minimal,
     {"--set: materials.0.region: missing; allowed: a name, a list of names, or \"*\""},
     {"materials=[{sigma: 1}]"}},
    {"material_parameters_out_of_range",
     minimal + "solver: {order: 77}\n",
     {"FILE:5:17: solver.order: found '77'", "--set: materials.0.epsilon_r: found '0'; allowed: a number above 0",
      "--set: materials.0.sigma: found '-1'; allowed: a conductivity of at least 0 (S/m, or a text such as \"5 "
      "mS/m\"); a "
      "medium that puts energy in has active: true beside it"},
     {"materials.0.epsilon_r=0", "materials.0.sigma=-1"}},
    {"material_constants_that_are_none",
     minimal,
     {"--set: materials.0.epsilon_r: unknown name 't'; known: x, y, z, pi",
      "--set: materials.0.mu_r: found a mapping; allowed: a number above 0, an expression of x, y, z and constants, "
      "{from_mesh: NAME}, or a list of 3 of these (a diagonal tensor) or of 3 lists of 3 (a symmetric one)",
      "--set: materials.0.sigma: '5 mm' is a length; allowed: a conductivity such as '5 mS/m'"},
     {"materials.0.epsilon_r=1 + t", "materials.0.mu_r={file: a}", "materials.0.sigma=5 mm"}},
    {"tensors_that_are_none",
     minimal,
     {"--set: materials.0.epsilon_r: found a list; allowed: a number above 0, ",
      "--set: materials.0.mu_r.1: found '-2'; allowed: a number above 0",
      "--set: materials.0.sigma: found a list; allowed: a conductivity of at least 0"},
     {"materials.0.epsilon_r=[[1, 0], [0, 1], [0, 0]]", "materials.0.mu_r=[1, -2, 1]", "materials.0.sigma=[1, 1, 1]"}},
    {"tensors_with_components_that_are_none",
     minimal,
     {"--set: materials.0.epsilon_r.1: found a mapping; allowed: a number, an expression of x, y, z, or {from_mesh: "
      "NAME}",
      "--set: materials.0.mu_r.2.0: found a list; allowed: a number, an expression of x, y, z, or {from_mesh: NAME}"},
     {"materials.0.epsilon_r=[1, {file: a}, 2]", "materials.0.mu_r=[[1, 0, 0], [0, 1, 0], [[1], 0, 1]]"}},
    {"tensors_of_no_medium",
     minimal,
     {"--set: materials.0.epsilon_r: must be symmetric",
      "--set: materials.0.mu_r: must be positive definite, and has the eigenvalue -1"},
     {"materials.0.epsilon_r=[[2, 1, 0], [0.5, 2, 0], [0, 0, 1]]",
      "materials.0.mu_r=[[1, 2, 0], [2, 1, 0], [0, 0, 1]]"}},
    {"tensors_beyond_all_bounds",
     minimal,
     {"--set: materials.0.epsilon_r: must be symmetric",
      "--set: materials.0.mu_r: is 1e+300, and must be from 1e-12 to"},
     {"materials.0.epsilon_r=[[2, 1e300, 0], [0.1, 2, 0], [0, 0, 3]]",
      "materials.0.mu_r=[[1e300, 0, 0], [0, 1, 0], [0, 0, 1]]"}},
    {"material_that_the_table_lacks",
     minimal,
     {"--set: materials.0.name: found 'coper'; allowed: air, aluminum, "},
     {"materials.0.name=coper"}},
    {"metal_in_normalized_units",
     minimal,
     {"--set: materials.0.name: the conductivity of copper is in S/m, which normalized units do not have; give sigma"},
     {"materials.0.name=copper", "units=normalized", "time.end=1"}},
    {"active_is_no_number",
     minimal,
     {"--set: materials.0.active: found '1'; allowed: true or false"},
     {"materials.0.active=1"}},
    {"key_of_the_other_system",
     minimal + "system: acoustics\nsources: []\n",
     {"FILE:4:34: boundaries.0.type: found 'pec'; allowed: " + conditions_of(1) + ", periodic",
      "FILE:6:1: sources: belongs to system: maxwell alone"}},
    {"later_boundary",
     minimal,
     {"--set: boundaries.0.type: found 'port'; allowed: " + conditions_of(0) + ", periodic"},
     {"boundaries.0.type=port"}},
    {"periodic_boundary_of_no_two_surfaces",
     minimal,
     {"--set: boundaries.0.region: a periodic boundary joins one surface to one other; give the name of each",
      "--set: boundaries.1.with: must be another surface than region"},
     {"boundaries=[{region: [a, b], type: periodic, with: c}, {region: d, type: periodic, with: d}]"}},
    {"imaginary_parts_of_real_fields",
     minimal,
     {"--set: imaginary: is for complex fields, and no periodic boundary has a phase",
      "--set: sources.0.imaginary_density: is for complex fields, and no periodic boundary has a phase"},
     {"imaginary={initial_fields: {E: [x, 0, 0]}}",
      "sources=[{type: current, region: '*', density: [0, 0, 1], imaginary_density: [0, 0, t]}]"}},
    {"what_complex_fields_do_not_go_with",
     minimal,
     {"--set: sources.0.type: cannot be used with a phase between periodic surfaces; a current with imaginary_density",
      "--set: outputs.frequency_fields: is for real fields, and a periodic boundary has a phase",
      "--set: outputs.far_field: is for real fields, and a periodic boundary has a phase"},
     {"boundaries=[{region: a, type: periodic, with: b, phase: 30}]",
      "sources=[{type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0], injection: {type: scattered_field}, "
      "waveform: {type: sine, frequency: 1e9}}]",
      "outputs.frequency_fields={frequencies: [1e9]}", "outputs.far_field={enclosing: a, frequencies: [1e9]}"}},
    {"impedance_without_its_value",
     minimal,
     {"FILE:4:14: boundaries.0.impedance: missing; allowed: an impedance above 0 (ohm, or a text such as \"50 ohm\")"},
     {"boundaries.0.type=impedance"}},
    {"impedance_that_is_none",
     minimal,
     {"--set: boundaries.0.impedance: found '-50'; allowed: an impedance above 0"},
     {"boundaries.0={region: a, type: impedance, impedance: -50}"}},
    {"impedance_of_a_conductor",
     minimal,
     {"--set: boundaries.0.impedance: belongs to type: impedance alone"},
     {"boundaries.0.impedance=50 ohm"}},
    {"unknown_name_in_expression",
     minimal + "initial_fields: {E: [\"0\", \"2*sin(qq)\", z]}\n",
     {"FILE:5:34: initial_fields.E.1: unknown name 'qq'; known: x, y, z, pi"}},
    {"syntax_error_in_plain_expression",
     minimal + "initial_fields:\n  E: [\"0\", cos(x, \"0\"]\n",
     {"FILE:6:17: initial_fields.E.1: missing ')' for the '(' at column 4"}},
    {"syntax_error_in_expression",
     minimal + "initial_fields:\n  E:\n    - 0\n    - 'x + '\n    - x y\n",
     {"FILE:8:12: initial_fields.E.1: the expression ends where a number, a name or '(' should follow",
      "FILE:9:9: initial_fields.E.2: unexpected 'y' after a complete expression; a product is written with '*'"}},
    {"folded_expression_names_the_character",
     minimal + "initial_fields:\n  E:\n    - >-\n      x +\n      $\n    - 0\n    - 0\n",
     {"initial_fields.E.0: unexpected '$'; a number, a name or '(' should stand here (character 5 of 'x + $')"}},
    {"time_in_initial_fields",
     minimal + "initial_fields: {E: [t, \"0\", \"0\"]}\n",
     {"FILE:5:22: initial_fields.E.0: unknown name 't'; known: x, y, z, pi"}},
    {"division_by_zero_in_a_constant_expression",
     minimal + "initial_fields: {E: [1/0, \"0\", \"0\"]}\n",
     {"FILE:5:22: initial_fields.E.0: '1/0' is not a finite number"}},
    {"constants",
     minimal + "constants: {pi: 3, 2a: 1, b: c, d: 1/0, e: [1]}\n",
     {"FILE:5:13: constants.pi: the name is taken by expressions; choose another one",
      "FILE:5:20: constants.2a: is not a valid name; allowed: letters, digits and '_', not starting with a digit",
      "FILE:5:30: constants.b: unknown name 'c'; known: pi", "FILE:5:36: constants.d: '1/0' is not a finite number",
      "FILE:5:44: constants.e: found a list; allowed: a number, or an expression of earlier constants"}},
    {"periods_without_frequency",
     minimal,
     {"--set: time.periods: needs a first source with a frequency; or give time.end"},
     {"time={periods: 3}"}},
    {"plane_wave_polarized_along_its_way",
     minimal + "sources:\n  - type: plane_wave\n    direction: [0, 0, 1]\n    polarization: [0, 1, 1]\n"
               "    waveform: {type: sine, frequency: 1e9}\n    injection: {type: scattered_field}\n",
     {"FILE:8:19: sources.0.polarization: must be perpendicular to direction"}},
    {"plane_wave_without_direction",
     minimal + "sources:\n  - type: plane_wave\n    direction: [0, 0, 0]\n    polarization: [0, 1, 1]\n"
               "    waveform: {type: sine, frequency: 1e9, bandwidth: 1e9}\n    injection: {type: total_field}\n",
     {"FILE:9:44: sources.0.waveform.bandwidth: belongs to type: gaussian_pulse alone",
      "FILE:10:16: sources.0.injection.regions: missing; allowed: a name"}},
    {"later_source",
     minimal + "sources: [{type: laser}]\n",
     {"FILE:5:18: sources.0.type: found 'laser'; allowed: plane_wave, dipole, current"}},
    {"dipole_without_place",
     minimal + "sources: [{type: dipole, moment: [0, 0, 1], waveform: {type: ricker, frequency: 1e9}}]\n",
     {"FILE:5:11: sources.0.at: missing; allowed: a list of 3"}},
    {"resonances_of_an_unknown_probe",
     minimal + "outputs: {probes: [{name: far, at: [0, 0, 0]}], resonances: {probes: [fur], from: 1e9, to: 2e9}}\n",
     {"FILE:5:71: outputs.resonances.probes.0: no probe has the name 'fur'; did you mean 'far'?"}},
    {"layer_of_a_boundary_without_a_box",
     "mesh: {file: a.msh}\ntime: {end: 1}\nmaterials: [{region: '*', epsilon_r: 1}]\n"
     "boundaries: [{region: '*', type: pml, thickness: 1}]\n",
     {"FILE:4:34: boundaries.0.type: in a mesh from a file the PML is a volume region of its own"}},
    {"pml_without_reflection",
     minimal + "pml: {region: a, thickness: 1, reflection: 0}\n",
     {"FILE:5:44: pml.reflection: found '0'; allowed: a number above 0, up to 1"}},
    {"pml_without_thickness",
     minimal + "pml: {region: a}\n",
     {"FILE:5:6: pml.thickness: missing; allowed: a length above 0"}},
    {"probe_names",
     minimal + "outputs: {probes: [{name: a, at: [0, 0, 0]}, {name: a, at: [0, 0, 0]}]}\n",
     {"FILE:5:53: outputs.probes.1.name: another probe has the name 'a'"}},
    {"quantity_of_the_other_system",
     minimal + "outputs: {fields: {count: 3, quantities: [E, p]}}\n",
     {"FILE:5:46: outputs.fields.quantities.1: found 'p'; this system has the fields E and H"}},
    {"override_without_value",
     minimal,
     {"--set solver.order: allowed: key.path=value, as in solver.order=3"},
     {"solver.order"}},
    {"override_of_an_unknown_key_by_null",
     minimal,
     {"--set: outputs.feilds: unknown key; did you mean 'fields'?"},
     {"outputs.feilds=null"}},
    {"override_of_a_needed_key_by_null", minimal, {"time: missing; allowed: "}, {"time=null"}},
    {"override_by_nothing", minimal, {"--set: solver.order: found nothing; allowed: "}, {"solver.order="}},
    {"override_of_an_unknown_key",
     minimal,
     {"--set: solver.ordr: unknown key; did you mean 'order'?"},
     {"solver.ordr=3"}},
    {"override_beyond_a_list",
     minimal,
     {"--set materials.3.sigma=1: item 3 does not exist; the list has 1 (numbered from 0)"},
     {"materials.3.sigma=1"}},
    {"override_of_a_list_by_name",
     minimal,
     {"--set materials.sigma=1: 'sigma' does not number an item of a list; allowed: 0 to 0"},
     {"materials.sigma=1"}},
    {"override_inside_of_a_value",
     minimal,
     {"--set time.end.x=1: 'x' cannot be set inside of the value the text '10 ns'"},
     {"time.end.x=1"}},
    {"override_that_is_not_yaml", minimal, {"--set solver.order=[1:"}, {"solver.order=[1"}},
};

class BadConfig : public testing::TestWithParam<Bad> {};

TEST_P(BadConfig, is_refused_with_place_finding_and_remedy) {
  const ConfigFile file(GetParam().text);
  try {
    static_cast<void>(file.load(GetParam().overrides));
    FAIL() << "no ConfigError";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.code(), ExitCode::config);
    std::string message = error.what();
    const std::string name = file.path().string();
    for (std::size_t at = 0; (at = message.find(name)) != std::string::npos;) message.replace(at, name.size(), "FILE");
    std::size_t from = 0;
    for (const std::string& line : GetParam().lines) {
      const std::size_t at = message.find(line, from);
      EXPECT_NE(at, std::string::npos) << "wanted: " << line << "\nfound: " << message;
      if (at != std::string::npos) from = at + line.size();
    }
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n') + 1, static_cast<long>(GetParam().lines.size()))
        << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Configs, BadConfig, testing::ValuesIn(bad_configs),
                         [](const auto& instance) { return instance.param.name; });

TEST(BadConfigFile, aliases_that_multiply_are_refused) {
  std::string text = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    const std::string before = std::string("*") + static_cast<char>(c - 1);
    text += std::string(1, c) + ": &" + c + " [" + before;
    for (int i = 0; i < 9; ++i) text += ", " + before;
    text += "]\n";
  }
  try {
    static_cast<void>(ConfigFile(text).load());
    FAIL() << "no ConfigError";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("values after aliases are expanded"), std::string::npos) << error.what();
  }
}

/// What is said of a text that is no config.
std::string refusal_of(const std::string& text) {
  try {
    static_cast<void>(ConfigFile(text).load());
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no ConfigError";
}

std::string repeated(const std::string& piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

TEST(BadConfigFile, a_long_text_is_not_copied_for_each_alias) {
  const std::string text = "a: &a \"" + std::string(1'000'000, 'x') + "\"\nb: [" + repeated("*a, ", 3000) + "*a]\n";
  EXPECT_NE(refusal_of(text).find("2:61: more than 16 MB of text after aliases are expanded"), std::string::npos)
      << refusal_of(text);
}

TEST(BadConfigFile, lists_without_items_count_towards_the_bound) {
  EXPECT_NE(refusal_of("a: [" + repeated("[], ", 300'000) + "[]]\n")
                .find("more than 200000 values after aliases are expanded"),
            std::string::npos);
}

TEST(BadConfigFile, only_so_many_errors_are_told) {
  std::string text = minimal;
  for (int i = 0; i < 20'000; ++i) text += "k" + std::to_string(i) + ": 1\n";
  const std::string refusal = refusal_of(text);
  EXPECT_EQ(std::count(refusal.begin(), refusal.end(), '\n'), 100);
  EXPECT_TRUE(refusal.ends_with("there may be more; only the first 100 errors are shown")) << refusal;
}

// Nothing is measured: where one of these took quadratic time or memory, the test ran into its time limit.
TEST(BadConfigFile, anchors_within_anchors_and_many_constants_take_no_more_than_their_text) {
  std::string nested = "a: ";
  for (int i = 0; i < 400; ++i) nested += "&n" + std::to_string(i) + " [";
  nested += repeated("1, ", 90'000) + "1" + std::string(400, ']') + "\n";
  EXPECT_NE(refusal_of(nested).find("a: unknown key"), std::string::npos);
  std::string constants = minimal + "constants:\n";
  for (int i = 0; i < 49'000; ++i) constants += "  k" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(ConfigFile(constants).load().constants.size(), 49'000u);
  EXPECT_NE(refusal_of(constants + "  l: q\n").find("unknown name 'q'; known: k0, k1, k10, "), std::string::npos);
}

TEST(BadConfigFile, deep_nesting_and_bytes_are_refused) {
  for (const std::string& text : {std::string(5000, '['), std::string(5000, '{'), std::string("\0\x01\xff\xfe", 4)}) {
    EXPECT_THROW(static_cast<void>(ConfigFile(text).load()), ConfigError);
  }
}

TEST(BadConfigFile, what_is_no_config_is_said_to_be) {
  const ConfigFile file(minimal), of_run(minimal, "config.resolved.yaml"),
      mesh("SetFactory(\"OpenCASCADE\");\n", "a.geo");
  for (const auto& [path, message] :
       {std::pair{file.folder() / "none.yaml", std::string("none.yaml: no such file; give the path of a YAML config")},
        std::pair{file.folder(), std::string(": is a folder; give the path of a YAML config")},
        std::pair{of_run.folder(), "give the path of a YAML config, such as " + of_run.path().string()},
        std::pair{mesh.path(), std::string("a.geo: is a mesh; give the path of a YAML config, which names its mesh by "
                                           "mesh.file")}}) {
    try {
      static_cast<void>(load_config(path));
      FAIL() << "no ConfigError";
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

TEST(BadConfigFile, the_program_exits_with_2_and_a_line_for_each_finding) {
  const ConfigFile file(minimal + "solver: {ordr: 1, cfl: -1}\n");
  const std::string command = std::string(MAXWELL_DG_PROGRAM) + " --check " + file.path().string() + " 2>&1 >/dev/null";
  FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  const int status = ::pclose(pipe);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  const std::string name = "error: " + file.path().string();
  EXPECT_EQ(output, name + ":5:10: solver.ordr: unknown key; did you mean 'order'?\n" + name +
                        ":5:24: solver.cfl: found '-1'; allowed: a number above 0\n");
}

}  // namespace
}  // namespace maxwell_dg::config
