#include "apps/config/keys.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "apps/config/boundary_keys.hpp"
#include "apps/config/elements/element_keys.hpp"
#include "apps/config/field_keys.hpp"
#include "apps/config/frequency_keys.hpp"
#include "apps/config/materials/material_keys.hpp"
#include "apps/config/mesh_keys.hpp"
#include "apps/config/port_keys.hpp"
#include "apps/config/source_keys.hpp"
#include "apps/config/time_keys.hpp"
#include "core/suggest.hpp"
#include "dg/observe/files/field_groups.hpp"
#include "dg/symbolic/expression.hpp"
#include "dg/time/runge_kutta.hpp"

/// THE keys of a config. Everything a user may write stands here, once; a default is the initializer of the member in
/// config.hpp that the key is bound to. A new key is a new line; a new kind of source, waveform ... a new case.
namespace maxwell_dg::config {
namespace {

using core::Dimension;

Key units_key(Config& config) {
  return {
      "units", word<Units>(config.units, {{"si", Units::si}, {"normalized", Units::normalized}}),
      "`si`: numbers in SI units, or texts with a unit. `normalized`: epsilon_0 = mu_0 = c_0 = 1, and bare numbers"};
}

// --- solver, checkpoints --------------------------------------------------------------------------------------------

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const dg::RungeKutta* method : dg::runge_kutta_methods()) names.push_back(method->name);
  return names;
}

Object solver_keys(Solver& solver) {
  return {
      .keys = {
          {"order", integer(solver.order, {1, 9}), "order of the polynomials in each tetrahedron"},
          {"precision", word<Dtype>(solver.precision, {{"single", Dtype::float32}, {"double", Dtype::float64}}),
           "precision of the fields and of all computations with them"},
          {"flux", number(solver.flux, {.min = 0.0, .max = 1.0, .words = {{"upwind", 1.0}, {"central", 0.0}}}),
           "`upwind` damps what the mesh does not resolve, `central` conserves energy; a number lies between them "
           "(0 = central, 1 = upwind)"},
          {"integrator", optional(solver.integrator, [](std::string& name) { return word(name, integrator_names()); }),
           "Runge-Kutta method; left out: the one that needs the fewest stages per simulated time at this order and "
           "flux",
           Key::Presence::optional, "by order and flux"},
          {"cfl", positive(solver.cfl), "time step; 1 is the largest stable step known for the order, with a margin"},
          {"tuning_seconds", number(solver.tuning_seconds, {.min = 0.0}),
           "longest search for the fastest kernels, in seconds; made only if none are known for this order on this "
           "device and the run would take more than five times as long; 0: never"},
      }};
}

Object checkpoint_keys(Checkpoint& checkpoint) {
  const auto every = [](double& seconds) {
    return number(seconds,
                  {.dimension = core::Dimension::time, .min = 0.0, .above_min = true, .is_of_the_clock = true});
  };
  return {.keys = {{"every", optional(checkpoint.every, every), "wall-clock time between two checkpoints"},
                   {"steps", optional(checkpoint.steps, [](int& n) { return integer(n, {1}); }),
                    "instead of `every`: steps between two checkpoints"},
                   {"keep", integer(checkpoint.keep, {1}), "number of checkpoints to keep, the latest ones"}},
          .exactly_one = {"every", "steps"}};
}

// --- outputs --------------------------------------------------------------------------------------------------------

std::vector<std::string> all_field_names(const Systems& systems) {
  std::vector<std::string> words;
  for (const KnownSystem& system : systems) {
    for (const std::string& name : system.field_names()) {
      if (std::ranges::count(words, name) == 0) words.push_back(name);
    }
  }
  return words;
}

/// "`E`, `H` (maxwell), `p`, `u` (acoustics)"
std::string fields_by_system(const Systems& systems) {
  std::vector<std::string> words;
  for (const KnownSystem& system : systems) {
    words.push_back("`" + joined(system.field_names(), "`, `") + "` (" + system.name + ")");
  }
  return joined(words);
}

/// `more`: what may be written besides fields, and how that is said.
Object field_output_keys(FieldOutput& f, const Systems& systems, const std::vector<std::string>& more = {},
                         const std::string& doc_of_more = {}) {
  std::vector<std::string> words = all_field_names(systems);
  words.insert(words.end(), more.begin(), more.end());
  return {
      .keys = {{"every", optional(f.every, [](double& t) { return positive(t, Dimension::time); }),
                "time between two files"},
               {"count", optional(f.count, [](int& n) { return integer(n, {1}); }),
                "instead of `every`: number of files after the first, evenly spaced"},
               {"quantities", list<std::string>(f.quantities, 1, [words](std::string& q) { return word(q, words); }),
                "fields to write: " + fields_by_system(systems) + doc_of_more, Key::Presence::optional, "all"}},
      .exactly_one = {"every", "count"}};
}

Object surface_field_keys(SurfaceFieldOutput& f, const Systems& systems) {
  Object result = field_output_keys(
      f, systems, {dg::surface_current},
      "; `J` (maxwell): the surface current on a conductor, n x H with n pointing away from it, on each side of a wall "
      "inside the mesh that of the side");
  result.keys.insert(result.keys.begin(),
                     {"surfaces", region_names(f.surfaces), "names of surfaces, or `*`", required});
  return result;
}

Object probe_keys(Probe& probe) {
  return {.keys = {{"name", name(probe.name), "name of the probe; its columns in probes.csv start with it", required},
                   {"at", vector3(probe.at, Dimension::length), "a point of the mesh", required}}};
}

void check_probe_names(const std::vector<Probe>& probes, Reader& reader) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const std::string key = "probes." + std::to_string(i) + ".name";
    if (!seen.insert(probes[i].name).second) {
      reader.error(reader.place_of(key), "another probe has the name '" + probes[i].name + "'", key);
    }
  }
}

/// Of an output `key` that takes the signals of some probes, or of all: fills them in.
void check_chosen_probes(const Outputs& outputs, const std::string& key, std::vector<std::string>& chosen,
                         Reader& reader) {
  std::vector<std::string> known;
  for (const Probe& probe : outputs.probes) known.push_back(probe.name);
  if (known.empty()) reader.error(reader.place_of(key), "needs outputs.probes, whose signals it takes", key);
  if (chosen.empty()) chosen = known;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (std::find(known.begin(), known.end(), chosen[i]) != known.end()) continue;
    const std::string item = key + ".probes." + std::to_string(i);
    reader.error(reader.place_of(item),
                 "no probe has the name '" + chosen[i] + "'" + core::did_you_mean(chosen[i], known), item);
  }
}

Object outputs_keys(Outputs& outputs, const Systems& systems) {
  return {
      .keys = {{"directory", path(outputs.directory, Relative::to_current_directory, "the path of a folder"),
                "folder of the output files; a relative path starts in the current folder. It is created if missing",
                Key::Presence::optional, "`out/` and the config's name"},
               {"fields",
                optional(outputs.fields, [&systems](FieldOutput& f) { return object(field_output_keys(f, systems)); }),
                "time series of the fields in the volume: VTK files of the solver's order"},
               {"surface_fields",
                optional(outputs.surface_fields,
                         [&systems](SurfaceFieldOutput& f) { return object(surface_field_keys(f, systems)); }),
                "time series of the fields on named surfaces only: small files"},
               {"probes", list<Probe>(outputs.probes, 0, [](Probe& p) { return object(probe_keys(p)); }),
                "fields at points, recorded at every step"},
               {"energy",
                optional(outputs.energy,
                         [](EnergyOutput& e) {
                           return object({.keys = {{"every", integer(e.every, {1}), "steps between two lines"},
                                                   {"balance", boolean(e.balance),
                                                    "also write balance.csv: the powers of boundaries, losses, "
                                                    "sources and the upwind flux. They are integrated at every "
                                                    "stage, which slows a run down"}}});
                         }),
                "energy over time, in energy.csv"},
               frequency_fields_key(outputs, all_field_names(systems)),
               far_field_key(outputs),
               resonances_key(outputs),
               probe_spectra_key(outputs),
               s_parameters_key(outputs),
               element_output_key(outputs)},
      .check = [&outputs](Reader& reader) {
        check_probe_names(outputs.probes, reader);
        if (outputs.resonances) check_chosen_probes(outputs, "resonances", outputs.resonances->probes, reader);
        if (outputs.probe_spectra) {
          check_chosen_probes(outputs, "probe_spectra", outputs.probe_spectra->probes, reader);
        }
      }};
}

// --- the whole ------------------------------------------------------------------------------------------------------

std::vector<Key> keys_of(const KnownSystem& system, Config& config) {
  std::vector<Key> keys{materials_key(config, system), boundaries_key(config, system),
                        initial_fields_key(config, system), reference_solution_key(config, system),
                        imaginary_key(config, system)};
  if (!system.is_maxwell) return keys;
  for (Key& key : std::vector{symmetry_key(config), sources_key(config), ports_key(config), elements_key(config),
                              pml_key(config)}) {
    keys.push_back(std::move(key));
  }
  return keys;
}

Choice system_choice(Config& config) {
  std::vector<ChoiceCase<std::string>> cases;
  for (const KnownSystem& system : *config.systems) {
    cases.push_back({system.name, system.name, system.doc, [&system, &config] { return keys_of(system, config); }});
  }
  return choice<std::string>("system", config.system, "equations to solve", cases);
}

/// Fills in what is left out: all.
/// `more`: what the output may have besides fields.
void check_quantities(std::vector<std::string>& quantities, const std::string& output, const KnownSystem& system,
                      Reader& reader, const std::vector<std::string>& more = {}) {
  std::vector<std::string> known = system.field_names();
  if (quantities.empty()) quantities = known;
  known.insert(known.end(), more.begin(), more.end());
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    if (std::find(known.begin(), known.end(), quantities[i]) != known.end()) continue;
    const std::string key = output + ".quantities." + std::to_string(i);
    reader.error(reader.place_of(key),
                 "found '" + quantities[i] + "'; this system has the fields " + joined(known, " and "), key);
  }
}

/// Layers of boundaries are for boxes, all of one thickness, and do not go with `pml`.
void check_layers(const Config& config, Reader& reader) {
  const std::vector<BoundaryEntry<PmlSide>> sides = boundaries_of<PmlSide>(config);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const std::string type = sides[i].key + ".type", thickness = sides[i].key + ".thickness";
    if (!config.mesh.box) {
      reader.error(reader.place_of(type),
                   "in a mesh from a file the PML is a volume region of its own: name it in the mesh, and write "
                   "pml: {region: NAME, thickness: ...}",
                   type);
    }
    if (config.pml) reader.error(reader.place_of("pml"), "there is a PML already, by boundaries of type pml", "pml");
    if (i > 0 && sides[i].value.thickness != sides[i - 1].value.thickness) {
      reader.error(reader.place_of(thickness), "must be that of the other sides", thickness);
    }
  }
}

void check_across(Config& config, Reader& reader) {
  check_layers(config, reader);
  check_symmetry(config, reader);
  check_ports(config, reader);
  check_elements(config, reader);
  check_complex(config, reader);
  check_time(config, reader);
  check_sweep(config, reader);
  Outputs& outputs = config.outputs;
  if (outputs.far_field && !config.equations().is_maxwell) {
    reader.error(reader.place_of("outputs.far_field"), "is for Maxwell's equations", "outputs.far_field");
  }
  if (outputs.fields) check_quantities(outputs.fields->quantities, "outputs.fields", config.equations(), reader);
  if (outputs.surface_fields) {
    check_quantities(
        outputs.surface_fields->quantities, "outputs.surface_fields", config.equations(), reader,
        config.equations().is_maxwell ? std::vector<std::string>{dg::surface_current} : std::vector<std::string>{});
  }
  if (outputs.frequency_fields) {
    check_quantities(outputs.frequency_fields->quantities, "outputs.frequency_fields", config.equations(), reader);
  }
}

}  // namespace

Object config_keys(Config& config) {
  return {
      .keys = {units_key(config),
               {"anchors", ignored(),
                "a place for values that other keys take by YAML anchors and aliases (`*name`, `<<: *name`); not read "
                "by itself"},
               {"constants", constants(config.constants), "named numbers for use in expressions"},
               mesh_key(config.mesh),
               {"solver", object(solver_keys(config.solver)), "how the equations are solved"},
               {"device", text(config.device, "auto, cuda, cuda:N, cuda:all, opencl, opencl:N, opencl:all or cpu"),
                "where to compute: `auto`, `cuda`, `cuda:1`, `opencl`, `opencl:0`, `cpu`; `cuda:all` starts a process "
                "for each GPU of this host, or shares out the angles of a `sweep` among them; `--device` overrides it"},
               time_key(config),
               {"outputs", object(outputs_keys(config.outputs, *config.systems)), "output files"},
               {"checkpoint", optional(config.checkpoint, [](Checkpoint& c) { return object(checkpoint_keys(c)); }),
                "files from which `--resume` continues an interrupted run; the last one is written at the end of the "
                "run"},
               sweep_key(config)},
      .choice = system_choice(config),
      .check = [&config](Reader& reader) {
        check_across(config, reader);
        complete_mesh(config);
      }};
}

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{"x", "y", "z", "t", "pi"};
    for (const auto& function : dg::symbolic::functions()) list.push_back(function.name);
    return list;
  }();
  return names;
}

}  // namespace maxwell_dg::config
