#include "apps/config/guess.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "apps/config/keys.hpp"
#include "apps/config/type.hpp"
#include "core/suggest.hpp"

namespace maxwell_dg::config {
namespace {

/// What a key or a word is called elsewhere: by Meep, CST, HFSS, openEMS, gprMax, in textbooks and in a hurry. Where
/// `ours` is not allowed at the place, the next entry of the same name is looked at.
struct Synonym {
  std::string_view theirs, ours;
};
constexpr std::array synonyms{
    // materials
    Synonym{"eps", "epsilon_r"},
    Synonym{"eps_r", "epsilon_r"},
    Synonym{"epsr", "epsilon_r"},
    Synonym{"er", "epsilon_r"},
    Synonym{"epsilon", "epsilon_r"},
    Synonym{"epsilon_rel", "epsilon_r"},
    Synonym{"eps_rel", "epsilon_r"},
    Synonym{"permittivity", "epsilon_r"},
    Synonym{"relative_permittivity", "epsilon_r"},
    Synonym{"dielectric_constant", "epsilon_r"},
    Synonym{"epsilon_inf", "epsilon_r"},
    Synonym{"eps_inf", "epsilon_r"},
    Synonym{"epsilon_diag", "epsilon_r"},
    Synonym{"mu", "mu_r"},
    Synonym{"mur", "mu_r"},
    Synonym{"mue", "mu_r"},
    Synonym{"mue_r", "mu_r"},
    Synonym{"permeability", "mu_r"},
    Synonym{"relative_permeability", "mu_r"},
    Synonym{"conductivity", "sigma"},
    Synonym{"d_conductivity", "sigma"},
    Synonym{"electric_conductivity", "sigma"},
    Synonym{"kappa", "sigma"},
    Synonym{"cond", "sigma"},
    Synonym{"sig", "sigma"},
    Synonym{"susceptibilities", "dispersion"},
    Synonym{"e_susceptibilities", "dispersion"},
    Synonym{"poles", "dispersion"},
    Synonym{"medium", "materials"},
    Synonym{"media", "materials"},
    Synonym{"deps", "delta_epsilon"},
    Synonym{"delta_eps", "delta_epsilon"},
    Synonym{"gamma", "collision_frequency"},
    Synonym{"gamma", "damping"},
    Synonym{"omega_p", "plasma_frequency"},
    Synonym{"wp", "plasma_frequency"},
    Synonym{"density", "rho"},
    Synonym{"speed", "c"},
    Synonym{"speed_of_sound", "c"},
    // boundaries
    Synonym{"perfect_e", "pec"},
    Synonym{"perfecte", "pec"},
    Synonym{"electric", "pec"},
    Synonym{"metal", "pec"},
    Synonym{"metallic", "pec"},
    Synonym{"conductor", "pec"},
    Synonym{"perfect_conductor", "pec"},
    Synonym{"wall", "pec"},
    Synonym{"perfect_h", "pmc"},
    Synonym{"perfecth", "pmc"},
    Synonym{"magnetic", "pmc"},
    Synonym{"open", "absorbing"},
    Synonym{"open_add_space", "absorbing"},
    Synonym{"radiation", "absorbing"},
    Synonym{"abc", "absorbing"},
    Synonym{"mur", "absorbing"},
    Synonym{"silver_mueller", "absorbing"},
    Synonym{"silver-mueller", "absorbing"},
    Synonym{"absorber", "absorbing"},
    Synonym{"upml", "pml"},
    Synonym{"cpml", "pml"},
    Synonym{"pml_layers", "pml"},
    Synonym{"boundary_layers", "pml"},
    Synonym{"surface_impedance", "impedance"},
    Synonym{"sibc", "impedance"},
    Synonym{"leontovich", "impedance"},
    Synonym{"bloch", "periodic"},
    Synonym{"floquet", "periodic"},
    Synonym{"unit_cell", "periodic"},
    Synonym{"master_slave", "periodic"},
    Synonym{"lattice_pair", "periodic"},
    Synonym{"cyclic", "periodic"},
    Synonym{"resistive_sheet", "sheet"},
    Synonym{"ohmic_sheet", "sheet"},
    Synonym{"thin_sheet", "sheet"},
    Synonym{"boundary_conditions", "boundaries"},
    Synonym{"bc", "boundaries"},
    Synonym{"bcs", "boundaries"},
    Synonym{"surface", "boundary"},
    Synonym{"region", "boundary"},
    Synonym{"surface", "region"},
    Synonym{"surface", "surfaces"},
    Synonym{"name", "region"},
    Synonym{"volume", "region"},
    Synonym{"tag", "region"},
    Synonym{"face", "region"},
    Synonym{"r", "resistance"},
    Synonym{"z", "impedance"},
    Synonym{"neighbor", "with"},
    Synonym{"partner", "with"},
    Synonym{"slave", "with"},
    // sources and their waveforms
    Synonym{"gaussian", "gaussian_pulse"},
    Synonym{"gauss", "gaussian_pulse"},
    Synonym{"pulse", "gaussian_pulse"},
    Synonym{"gaussiansource", "gaussian_pulse"},
    Synonym{"gaussian_source", "gaussian_pulse"},
    Synonym{"modulated_gaussian", "gaussian_pulse"},
    Synonym{"gaussian_sine", "gaussian_pulse"},
    Synonym{"sin", "sine"},
    Synonym{"sinus", "sine"},
    Synonym{"cw", "sine"},
    Synonym{"harmonic", "sine"},
    Synonym{"sinusoidal", "sine"},
    Synonym{"sinusoid", "sine"},
    Synonym{"continuous", "sine"},
    Synonym{"continuoussource", "sine"},
    Synonym{"contsine", "sine"},
    Synonym{"mexican_hat", "ricker"},
    Synonym{"gaussiandotdot", "ricker"},
    Synonym{"custom", "expression"},
    Synonym{"customsource", "expression"},
    Synonym{"function", "expression"},
    Synonym{"formula", "expression"},
    Synonym{"user", "expression"},
    Synonym{"fcen", "frequency"},
    Synonym{"freq", "frequency"},
    Synonym{"f", "frequency"},
    Synonym{"f0", "frequency"},
    Synonym{"center_frequency", "frequency"},
    Synonym{"fwidth", "bandwidth"},
    Synonym{"df", "bandwidth"},
    Synonym{"bw", "bandwidth"},
    Synonym{"width", "bandwidth"},
    Synonym{"t0", "delay"},
    Synonym{"start_time", "delay"},
    Synonym{"e0", "amplitude"},
    Synonym{"amp", "amplitude"},
    Synonym{"k", "direction"},
    Synonym{"k_dir", "direction"},
    Synonym{"propagation", "direction"},
    Synonym{"wave_vector", "direction"},
    Synonym{"pol", "polarization"},
    Synonym{"polarisation", "polarization"},
    Synonym{"e", "polarization"},
    Synonym{"position", "at"},
    Synonym{"pos", "at"},
    Synonym{"center", "at"},
    Synonym{"centre", "at"},
    Synonym{"location", "at"},
    Synonym{"point", "at"},
    Synonym{"xyz", "at"},
    Synonym{"coordinates", "at"},
    Synonym{"tfsf", "total_field"},
    Synonym{"total_field_scattered_field", "total_field"},
    Synonym{"huygens", "total_field"},
    Synonym{"scattered", "scattered_field"},
    Synonym{"total", "total_field"},
    Synonym{"planewave", "plane_wave"},
    Synonym{"hertzian_dipole", "dipole"},
    Synonym{"point_source", "dipole"},
    Synonym{"point", "dipole"},
    Synonym{"waveport", "port"},
    Synonym{"wave_port", "port"},
    Synonym{"wave_guide", "port"},
    Synonym{"waveguide_port", "port"},
    Synonym{"eigenmode", "port"},
    Synonym{"eigenmodesource", "port"},
    Synonym{"signal", "waveform"},
    Synonym{"src", "waveform"},
    Synonym{"time_function", "waveform"},
    Synonym{"source", "sources"},
    Synonym{"excitation", "sources"},
    Synonym{"excitations", "sources"},
    Synonym{"waveports", "ports"},
    Synonym{"wave_ports", "ports"},
    Synonym{"current_density", "density"},
    // mesh, solver, time
    Synonym{"geometry", "mesh"},
    Synonym{"grid", "mesh"},
    Synonym{"mesh_file", "mesh"},
    Synonym{"path", "file"},
    Synonym{"filename", "file"},
    Synonym{"name", "file"},
    Synonym{"unit", "scale"},
    Synonym{"units", "scale"},
    Synonym{"scaling", "scale"},
    Synonym{"factor", "scale"},
    Synonym{"courant", "cfl"},
    Synonym{"courant_factor", "cfl"},
    Synonym{"dt_factor", "cfl"},
    Synonym{"p", "order"},
    Synonym{"n", "order"},
    Synonym{"degree", "order"},
    Synonym{"polynomial_order", "order"},
    Synonym{"float", "single"},
    Synonym{"float32", "single"},
    Synonym{"fp32", "single"},
    Synonym{"f32", "single"},
    Synonym{"float64", "double"},
    Synonym{"fp64", "double"},
    Synonym{"f64", "double"},
    Synonym{"centered", "central"},
    Synonym{"centred", "central"},
    Synonym{"stop", "end"},
    Synonym{"duration", "end"},
    Synonym{"t_end", "end"},
    Synonym{"tend", "end"},
    Synonym{"tmax", "end"},
    Synonym{"t_max", "end"},
    Synonym{"end_time", "end"},
    Synonym{"simulation_time", "end"},
    Synonym{"until", "time"},
    Synonym{"duration", "time"},
    Synonym{"t_end", "time"},
    Synonym{"tend", "time"},
    Synonym{"tmax", "time"},
    Synonym{"t_max", "time"},
    Synonym{"end_time", "time"},
    Synonym{"simulation_time", "time"},
    Synonym{"run_until", "time"},
    Synonym{"parameters", "constants"},
    Synonym{"params", "constants"},
    Synonym{"variables", "constants"},
    Synonym{"definitions", "anchors"},
    Synonym{"templates", "anchors"},
    Synonym{"equations", "system"},
    Synonym{"physics", "system"},
    // outputs
    Synonym{"monitors", "outputs"},
    Synonym{"monitor", "outputs"},
    Synonym{"results", "outputs"},
    Synonym{"dir", "directory"},
    Synonym{"folder", "directory"},
    Synonym{"points", "probes"},
    Synonym{"receivers", "probes"},
    Synonym{"sensors", "probes"},
    Synonym{"detectors", "probes"},
    Synonym{"snapshots", "fields"},
    Synonym{"field_monitor", "fields"},
    Synonym{"vtk", "fields"},
    Synonym{"dft", "frequency_fields"},
    Synonym{"dft_fields", "frequency_fields"},
    Synonym{"frequency_domain", "frequency_fields"},
    Synonym{"rcs", "far_field"},
    Synonym{"ntff", "far_field"},
    Synonym{"nf2ff", "far_field"},
    Synonym{"near2far", "far_field"},
    Synonym{"farfield", "far_field"},
    Synonym{"harminv", "resonances"},
    Synonym{"eigenmodes", "resonances"},
    Synonym{"sparameters", "s_parameters"},
    Synonym{"s_params", "s_parameters"},
    Synonym{"sparams", "s_parameters"},
    Synonym{"touchstone", "s_parameters"},
    Synonym{"fmin", "from"},
    Synonym{"f_min", "from"},
    Synonym{"fmax", "to"},
    Synonym{"f_max", "to"},
    Synonym{"start", "from"},
    Synonym{"stop", "to"},
    Synonym{"n", "count"},
    Synonym{"number", "count"},
    Synonym{"nfreq", "count"},
    Synonym{"interval", "every"},
    Synonym{"period", "every"},
    Synonym{"dt", "every"},
    Synonym{"frequency", "frequencies"},
    Synonym{"freqs", "frequencies"},
    Synonym{"surface", "enclosing"},
    Synonym{"box", "enclosing"},
    Synonym{"regions", "enclosing"},
    Synonym{"regions", "region"},
    Synonym{"region", "regions"},
    Synonym{"checkpoints", "checkpoint"},
    Synonym{"restart", "checkpoint"},
};

/// What there is instead of something that has no key or word here.
struct Remark {
  std::string_view word, text;
};
constexpr std::string_view losses = "; losses are given by loss_tangent: {value, from, to}, by sigma or by dispersion";
constexpr std::array remarks{
    Remark{"loss_factor", losses},
    Remark{"tan_delta", losses},
    Remark{"tand", losses},
    Remark{"tandelta", losses},
    Remark{"tan_d", losses},
    Remark{"epsilon_imag", losses},
    Remark{"epsilon_i", losses},
    Remark{"eps_imag", losses},
    Remark{"epsilon_r_imag", losses},
    Remark{"epsilon_im", losses},
    Remark{"waveport", "; a port is an entry of `ports`, which covers its surface"},
    Remark{"wave_port", "; a port is an entry of `ports`, which covers its surface"},
    Remark{"waveguide_port", "; a port is an entry of `ports`, which covers its surface"},
    Remark{"resolution", "; a mesh is as fine as its file, mesh.size or mesh.box.cells make it"},
    Remark{"cell_size", "; a mesh is as fine as its file, mesh.size or mesh.box.cells make it"},
    Remark{"background", "; name what else there is by {region: \"*\", ...} under `materials`"},
};

}  // namespace

std::string plain_word(std::string_view word) {
  std::string result;
  for (const char c : word.substr(0, 64)) {
    result += 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == ' ' || c == '-' ? '_' : c;
  }
  return result;
}

std::string guess(std::string_view word, std::span<const std::string> known) {
  const std::string theirs = plain_word(word);
  std::string result;
  for (const Synonym& synonym : synonyms) {
    if (!result.empty() || theirs != synonym.theirs || std::ranges::find(known, synonym.ours) == known.end()) continue;
    result = "; did you mean '" + std::string(synonym.ours) + "'?";
  }
  for (const Remark& remark : remarks) {
    if (theirs == remark.word) return result + std::string(remark.text);
  }
  return result.empty() ? core::did_you_mean(word, known) : result;
}

std::string place_of_key(const std::string& key, std::shared_ptr<const Systems> systems) {
  Config config = empty_config(std::move(systems));
  std::vector<ReferenceRow> rows;
  object(config_keys(config))->list_keys("", rows);
  std::set<std::string> paths;
  for (const ReferenceRow& row : rows) {
    if (row.path.ends_with("." + key)) paths.insert(row.path);
  }
  constexpr std::size_t most = 2;  // what stands in many places is not explained by a list of them
  if (paths.empty() || paths.size() > most) return "";
  return "; it has its place as " + joined({paths.begin(), paths.end()}, " or ");
}

std::string guess_of_truth(std::string_view word) {
  const std::string lower = plain_word(word);
  for (const char* yes : {"true", "yes", "on", "y", "1", ".true."}) {
    if (lower == yes) return "; did you mean true?";
  }
  for (const char* no : {"false", "no", "off", "n", "0", ".false."}) {
    if (lower == no) return "; did you mean false?";
  }
  return "";
}

}  // namespace maxwell_dg::config
