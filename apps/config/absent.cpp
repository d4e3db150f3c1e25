#include "apps/config/absent.hpp"

#include <array>
#include <string>

#include "apps/config/dispersion_keys.hpp"
#include "apps/config/guess.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {
namespace {

/// One row for each thing that does not exist. None of the words may be a key or a word that is allowed at the place.
struct Absent {
  std::string_view place;  ///< key path with N for numbers; "*": anywhere
  std::string_view words;  ///< separated by blanks
  std::string_view text;   ///< "{models}" stands for the models of a pole
};

constexpr std::string_view ports =
    "a lumped port is an entry of `ports` with type: lumped, on faces that span the gap between the conductors `from` "
    "and `to`";
constexpr std::string_view poles =
    "poles are a list: dispersion: [{model: drude, plasma_frequency: \"2 PHz\", collision_frequency: \"10 THz\"}]; "
    "the models are {models}";
constexpr std::string_view patterns =
    "radiation patterns, directivity and radiated power are of outputs.far_field, with a dipole, a current or a "
    "port as the first source; gain and efficiencies with a port";

constexpr std::string_view ground =
    "a ground is a face of the mesh with a boundary of type pec; far fields over one without end are of "
    "outputs.far_field.ground";

constexpr std::array absent{
    // ports, sources
    Absent{"*", "lumped_port lumped_ports lumpedport lumpedports discrete_port discrete_ports", ports},
    Absent{"ports.N", "discrete edge gap coaxial_feed resistance r voltage current capacitance inductance", ports},
    Absent{"ports.N", "z z0 reference reference_impedance line_impedance",
           "a port at the end of a guide has the impedance of its mode (te10, tem), a lumped one its `impedance`"},
    Absent{"ports.N", "wave waveport wave_port waveguide rectangular coaxial coax stripline",
           "the kind of a port is its `mode`: te10 and so on of a rectangular guide, tem of a coaxial line or a "
           "stripline"},
    Absent{"ports.N", "microstrip cpw coplanar qtem quasi_tem ridged hybrid eigenmode",
           "ports have the modes TE and TM of a rectangle or a disc and TEM of two conductors alone: put a transition "
           "to such a guide in front"},
    Absent{"sources.N", "lumped discrete gap delta_gap gap_source voltage voltage_source current_source feed generator",
           "a source of voltage is `type: port`, which drives an entry of `ports` with type: lumped"},
    Absent{
        "sources.N", "beam gaussian_beam focused_beam bessel_beam spherical_wave cylindrical_wave",
        "there are no beams: take `type: current` in a thin volume region, whose density is an expression of x, y, z "
        "and t"},
    Absent{"sources.N", "line_source line_current sheet_current surface_current current_sheet",
           "take `type: current` in a thin volume region"},
    Absent{"sources.N", "magnetic_dipole loop small_loop", "take `type: dipole` with `kind: magnetic`"},
    Absent{"sources.N", "electric_dipole current_element", "take `type: dipole`"},
    // circuits, wires, symmetry
    Absent{"*",
           "lumped_element lumped_elements resistor resistors capacitor capacitors inductor inductors lumped_rlc load "
           "loads networks circuit circuits spice",
           "circuits across gaps are entries of `elements`, with type: rlc or network"},
    Absent{"boundaries.N", "lumped rlc network capacitance inductance topology",
           "circuits across gaps are entries of `elements`, with type: rlc or network"},
    Absent{"*", "wire wires thin_wire thin_wires",
           "there are no thin wires: draw the wire as a cylindrical hole in the mesh, with a boundary of type pec"},
    Absent{
        "*",
        "symmetries symmetry_plane symmetry_planes mirror mirrors symmetric antisymmetric electric_symmetry "
        "magnetic_symmetry",
        "planes of symmetry are written as symmetry: [{plane: x, kind: electric}], which is for Maxwell's equations"},
    // boundaries
    Absent{"boundaries.N",
           "conductor good_conductor lossy_conductor lossy_metal finite_conductivity roughness surface_roughness sigma "
           "conductivity",
           "there is no skin effect yet: `type: pec` has no losses, and `type: impedance` takes one number, about "
           "sqrt(pi f mu_0 / sigma) in a narrow band around f"},
    Absent{"boundaries.N", "thin_metal thin_pec pec_sheet metal_sheet thin_conductor zero_thickness",
           "metal without thickness is `type: pec` on named faces between elements; a resistive film is `type: sheet`"},
    Absent{"", "ground", ground},
    Absent{"boundaries.N", "ground", ground},
    Absent{"*", "ground_plane infinite_ground", ground},
    // media
    Absent{"materials.N", "pec pmc metal metallic perfect_conductor perfect_electric_conductor conductor",
           "metal is no medium: leave its volume out of the mesh, and give its surface a boundary of type pec"},
    Absent{"materials.N",
           "drude debye lorentz lorentzian drude_lorentz drude_sommerfeld dispersive dispersion_model plasma_frequency "
           "collision_frequency tau sellmeier model pole",
           poles},
    Absent{"materials.N.dispersion.N", "sellmeier cauchy", "a term of Sellmeier is `model: lorentz` with `damping: 0`"},
    Absent{"materials.N.dispersion.N", "cole_cole havriliak_negami tauc_lorentz critical_points conductivity",
           "fit it by poles of these models: {models}"},
    Absent{"materials.N",
           "tensor anisotropic anisotropy epsilon_tensor eps_tensor permittivity_tensor epsilon_xx eps_xx epsilon_yy "
           "epsilon_zz epsilon_xy epsilon_offdiag mu_tensor mu_xx",
           "a tensor is written as epsilon_r: [2, 2, 3], its diagonal, or as three rows; mu_r likewise"},
    Absent{"materials.N", "n k nk index refractive_index ior extinction",
           "give epsilon_r, the square of the refractive index, and losses by sigma or dispersion"},
    Absent{"materials.N", "chi2 chi3 kerr nonlinear nonlinearity", "there are no nonlinear media"},
    Absent{"materials.N", "gyrotropic ferrite magnetized magnetised magnetization bias bias_field",
           "there are no ferrites: tensors are symmetric"},
    Absent{"materials.N", "sigma_m sigma_magnetic magnetic_conductivity magnetic_loss mu_dispersion",
           "there are no magnetic losses, and no dispersion of mu"},
    // solver, time, mesh
    Absent{"solver", "dt time_step timestep delta_t", "the time step is the largest stable one, times solver.cfl"},
    Absent{"solver", "local_steps local_time_steps local_time_stepping lts",
           "there are no local time steps yet: the smallest element sets the step of all"},
    Absent{"solver", "mpi ranks gpus threads num_threads cores processes",
           "a run takes one device, named by `device`; on a CPU it uses all cores that `taskset` leaves it"},
    Absent{"solver", "frequency_domain eigenvalue eigenmode steady_state",
           "fields are computed over time: spectra are of outputs.frequency_fields, resonances of outputs.resonances"},
    Absent{"solver", "adaptive adaptivity refine refinement amr",
           "a mesh is not refined: compare two meshes or orders"},
    Absent{"time", "steps n_steps iterations max_steps time_steps timesteps",
           "give `end`, a time; the number of steps follows from it"},
    Absent{"time", "decay energy_decay end_criterion steady_state",
           "an end by decay is {until: {decay: \"-50 dB\"}, at_most: \"200 ns\"}"},
    Absent{"mesh", "curved high_order curvilinear", "mesh.order is the order of the geometry of the elements"},
    // outputs, runs
    Absent{"outputs", "gain directivity radiation radiation_pattern pattern patterns antenna efficiency", patterns},
    Absent{"outputs.far_field", "gain directivity efficiency realized_gain",
           "antenna.csv has it where outputs.far_field is asked for: directivity and radiated power if a dipole or a "
           "current is the first source, with a port gain and efficiencies, too"},
    Absent{"outputs", "near_field near_fields nearfield",
           "fields in the mesh are outputs.fields over time and outputs.frequency_fields at frequencies, on surfaces "
           "outputs.surface_fields"},
    Absent{"outputs", "flux fluxes flux_monitor poynting power powers transmission reflection transmittance sar",
           "there is no such output: take E and H of outputs.frequency_fields; outputs.energy: {balance: true} writes "
           "the powers of boundaries and losses"},
    Absent{"outputs", "j current currents surface_current surface_currents",
           "the current on metal is outputs.surface_fields with quantities: [J]"},
    Absent{"outputs", "input_impedance vswr z_parameters y_parameters",
           "outputs.s_parameters writes S, from which these follow"},
    Absent{"outputs", "movie animation video", "outputs.fields with a `count` opens as a time series in ParaView"},
    Absent{
        "*", "sweeps parameter_sweep parametric parametric_sweep frequency_sweep optimization optimize",
        "a sweep is over angles of a plane wave: `sweep: {plane_wave: ...}`, with outputs.far_field; one pulse gives a "
        "whole band of frequencies, and a script may start a run for each other value, with --set"},
};

/// "materials.0.dispersion.1" -> "materials.N.dispersion.N"
std::string without_numbers(std::string_view path) {
  std::string result;
  for (const char c : path) {
    const bool is_digit = '0' <= c && c <= '9';
    if (!is_digit) result += c;
    if (is_digit && (result.empty() || result.back() == '.')) result += 'N';
  }
  return result;
}

bool holds(std::string_view words, std::string_view word) {
  for (std::size_t at = 0; (at = words.find(word, at)) != std::string_view::npos; at += word.size()) {
    const std::size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

std::string with_models(std::string_view text) {
  constexpr std::string_view placeholder = "{models}";
  std::string result(text);
  if (const std::size_t at = result.find(placeholder); at != std::string::npos) {
    result.replace(at, placeholder.size(), joined(pole_models()));
  }
  return result;
}

}  // namespace

std::string absent_feature(std::string_view path, std::string_view word) {
  const std::string plain = plain_word(word);
  if (plain.empty()) return "";
  const std::string place = without_numbers(path);
  for (const Absent& row : absent) {
    if ((row.place == "*" || row.place == place) && holds(row.words, plain)) return with_models(row.text);
  }
  return "";
}

}  // namespace maxwell_dg::config
