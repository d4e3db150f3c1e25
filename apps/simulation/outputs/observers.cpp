#include "apps/simulation/outputs/observers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "apps/simulation/directory/resume.hpp"
#include "apps/simulation/outputs/decay.hpp"
#include "apps/simulation/outputs/frequency_outputs.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/text.hpp"
#include "core/counted.hpp"
#include "dg/maxwell/waveform_band.hpp"
#include "dg/mesh/box_tree.hpp"

namespace maxwell_dg::simulation {
namespace {

constexpr long quiet_energy_every = 50;  // steps, where no file asks for energies

dg::EnergyHistory::Options energy_options(const Plan& plan, dg::Sink& sink, const dg::Archive* resumed) {
  dg::EnergyHistory::Options options{.every = quiet_energy_every, .scaling = plan.file_scaling, .resumed = resumed};
  if (plan.config.outputs.energy) {
    options.sink = &sink;
    options.every = plan.config.outputs.energy->every;
  }
  return options;
}

/// Without sources and active media the energy cannot grow, but for fields that begin inside of a PML: some grow there
/// before they decay. The energy that sources inject is not known beforehand; a stored energy a million times that of
/// the incident wave filling the mesh is beyond any resonance that a run could resolve.
double energy_limit(const Plan& plan, const dg::Operator& op) {
  const auto& materials = plan.config.materials;
  if (std::any_of(materials.begin(), materials.end(), [](const config::Material& m) { return m.active; })) {
    return std::numeric_limits<double>::infinity();
  }
  const std::vector<double> parts = op.energies();
  const double initial = std::accumulate(parts.begin(), parts.end(), 0.0);
  double amplitude = 0;
  for (const config::Source& source : plan.config.sources) {
    // A waveform by expression, a dipole, a current and a port have any size; only numbers that end tell of a
    // divergence.
    const auto* wave = std::get_if<config::PlaneWave>(&source);
    if (wave == nullptr || wave->waveform.type == config::Waveform::Type::expression) {
      return std::numeric_limits<double>::infinity();
    }
    amplitude += std::abs(wave->waveform.amplitude * plan.scaling.electric);
  }
  const std::vector<double>& J = plan.discretization->geometry.J;
  const double volume =
      4.0 / 3 * std::accumulate(J.begin(), J.end(), 0.0, [](double sum, double j) { return sum + std::abs(j); });
  return (has_pml(plan.config) ? 1e3 : 1.1) * initial + 1e6 * amplitude * amplitude * volume;
}

/// When all sources have ended, or are steady, and what they sent has crossed the mesh; infinite where that is not
/// known: expressions, currents, active media.
double settled_time(const Plan& plan) {
  const config::Config& config = plan.config;
  constexpr double never = std::numeric_limits<double>::infinity();
  if (std::ranges::any_of(config.materials, &config::Material::active)) return never;
  double end = 0;
  if (!config::sources_of<config::Current>(config).empty()) return never;
  for (const auto& [source, waveform] : config::waveforms_of(config)) {
    end = std::max(end, dg::maxwell::end_of(make_waveform(config, waveform)));
  }
  double last = 0;  // of the ports, driven one after the other
  for (const dg::maxwell::Port& port : plan.ports) last = std::max(last, port.driven_from.value_or(0));
  const dg::Discretization& d = *plan.discretization;
  const std::vector<double> speed = dg::in_each_element(plan.problem, plan.problem.system.max_speed, d.K());
  return end + last + dg::bounding_box(d.mesh.vertices).diagonal() / *std::ranges::min_element(speed);
}

/// What most probably is wrong with a run that diverges.
std::string remedy(const Plan& plan) {
  const double cfl = plan.config.solver.cfl;
  if (cfl > 1) return "solver.cfl is " + brief(cfl) + ": steps above 1 are not stable, take 1 or less";
  const auto& materials = plan.config.materials;
  for (std::size_t i = 0; i < materials.size(); ++i) {
    if (!materials[i].active) continue;
    return "materials." + std::to_string(i) +
           " is active, a gain medium, in which fields grow as long as the run goes on: end it earlier, or give less "
           "gain";
  }
  return "try a smaller solver.cfl (it is " + brief(cfl) +
         "), and look for a bad element, and for material values or amplitudes that are far too large";
}

dg::HealthCheck::Options health_options(const Plan& plan, const dg::Operator& op, const dg::Sink& sink,
                                        const dg::Archive* resumed) {
  const bool has_sine = std::ranges::any_of(config::waveforms_of(plan.config), [](const auto& of_source) {
    return of_source.value.type == config::Waveform::Type::sine;
  });
  std::optional<std::filesystem::path> file;
  if (const auto* directory = sink.directory()) file = *directory / "diverged.vtu";
  return {.energy_limit = energy_limit(plan, op),
          .scaling = plan.file_scaling,
          .time_unit = config::unit_in(plan.config.units, " s"),
          .length_unit = config::unit_in(plan.config.units, " m"),
          .settled_time = settled_time(plan),
          .growth_limit = has_sine ? 1e6 : 1e3,  // a resonance is driven on
          .remedy = [&plan](std::size_t) { return remedy(plan); },
          .file = std::move(file),
          .decay = dg::DecayRecord({.end = plan.end(), .turns = driven_in_turn(plan).size(), .name = "health.decay"}),
          .resumed = resumed};
}

dg::Checkpoints::Options checkpoint_options(const Plan& plan, const dg::Sink& sink, const std::string& kernel_variant,
                                            std::vector<dg::Observer*> observers) {
  const config::Checkpoint& wanted = *plan.config.checkpoint;
  dg::Checkpoints::Options options{.directory = plan.config.outputs.directory,
                                   .writes = sink.directory() != nullptr,
                                   .every_seconds = wanted.every,
                                   .keep = static_cast<std::size_t>(wanted.keep),
                                   .observers = std::move(observers)};
  if (wanted.steps) options.every_steps = *wanted.steps;
  if (plan.first_step > 0) options.resumed_from = plan.first_step;
  dg::Archive description;
  describe_run(plan, kernel_variant, description);
  options.description = std::move(description);
  return options;
}

}  // namespace

std::vector<long> snapshot_steps(const Plan& plan, const config::FieldOutput& fields) {
  const double end = plan.config.end_time();
  const dg::Moment origin{.step = plan.origin.step, .time = plan.origin.time * plan.file_scaling.time};
  if (fields.every) return dg::steps_every(*fields.every, end, plan.steps, origin);
  return dg::steps_evenly(fields.count.value_or(1), end, plan.steps, origin);
}

Observers::Observers(const Plan& plan, const dg::Operator& op, dg::Sink& sink, const dg::Archive* resumed)
    : energy_(op, energy_options(plan, sink, resumed)), health_(op, health_options(plan, op, sink, resumed)) {
  const config::Outputs& outputs = plan.config.outputs;
  all_ = {&energy_, &health_};
  if (outputs.energy && outputs.energy->balance) {
    all_.push_back(&balance_.emplace(
        op, dg::EnergyBalance::Options{
                .sink = sink, .every = outputs.energy->every, .scaling = plan.file_scaling, .resumed = resumed}));
  }
  if (!outputs.probes.empty()) {
    dg::Probes::Options options{.sink = sink, .probes = {}, .scaling = plan.file_scaling, .resumed = resumed};
    const dg::ComplexView& view = plan.discretization->complex_view;
    for (std::size_t i = 0; i < outputs.probes.size(); ++i) {
      for (const dg::FieldPart part : view.parts()) {
        dg::PointLocation at = plan.probes[i];
        at.cell = view.element(at.cell, part);
        const char* suffix = part == dg::FieldPart::imaginary ? ".imaginary" : "";
        options.probes.push_back({outputs.probes[i].name + suffix, at});
      }
    }
    all_.push_back(&probes_.emplace(op, std::move(options)));
  }
  if (outputs.fields && sink.takes_snapshots()) {
    all_.push_back(&fields_.emplace(op, dg::FieldSeries::Options{.sink = sink,
                                                                 .steps = snapshot_steps(plan, *outputs.fields),
                                                                 .quantities = outputs.fields->quantities,
                                                                 .scaling = plan.file_scaling,
                                                                 .resumed = resumed}));
  }
  if (outputs.surface_fields && sink.takes_snapshots()) {
    all_.push_back(
        &surface_fields_.emplace(op, dg::SurfaceSeries::Options{.sink = sink,
                                                                .faces = plan.surface_faces.faces,
                                                                .surface = plan.surface_faces.surface,
                                                                .steps = snapshot_steps(plan, *outputs.surface_fields),
                                                                .quantities = outputs.surface_fields->quantities,
                                                                .scaling = plan.file_scaling,
                                                                .resumed = resumed}));
  }
  if (outputs.frequency_fields && sink.takes_snapshots()) {
    dg::FrequencyFields::Options options = frequency_field_options(plan, sink);
    options.resumed = resumed;
    all_.push_back(&frequency_fields_.emplace(op, options));
  }
  if (outputs.far_field) {
    dg::FarFieldTable::Options options = far_field_options(plan, sink);
    options.resumed = resumed;
    all_.push_back(&far_field_.emplace(op, std::move(options)));
  }
  if (outputs.s_parameters) {
    dg::PortWaves::Options options = port_wave_options(plan, sink);
    options.resumed = resumed;
    all_.push_back(&port_waves_.emplace(op, std::move(options)));
    dg::PortLevels::Options levels = port_level_options(plan);
    levels.resumed = resumed;
    all_.push_back(&port_levels_.emplace(op, std::move(levels)));
  }
  if (plan.config.checkpoint) {
    checkpoints_.emplace(op, checkpoint_options(plan, sink, op.variant(), all_));
  }
  now_ = {.step = plan.first_step, .time = plan.time(plan.first_step)};
}

void Observers::observe(dg::Operator& op, const dg::Moment& now) {
  now_ = now;
  try {
    for (dg::Observer* observer : all_) observer->observe(op, now);
    if (checkpoints_) checkpoints_->observe(op, now);
  } catch (...) {
    failed_ = true;
    throw;
  }
}

void Observers::finish(dg::Operator& op, const dg::Moment& now) {
  std::vector<dg::Observer*> all = all_;
  if (checkpoints_ && !failed_) all.insert(all.begin(), &*checkpoints_);
  dg::finish_all(all, op, now);
}

void Observers::flush(dg::Operator& op, const dg::Moment& now) {
  for (dg::Observer* observer : all_) observer->flush(op, now);
}

std::vector<std::string> Observers::files() const {
  std::vector<std::string> names;
  const auto add_series = [&](const char* file, std::size_t count) {
    names.push_back(file + std::string(" (") + core::counted(count, "snapshot", "snapshots") + ")");
  };
  if (fields_) add_series("fields.pvd", fields_->snapshots());
  if (surface_fields_) add_series("surface_fields.pvd", surface_fields_->snapshots());
  if (frequency_fields_ && frequency_fields_->written() > 0) {
    names.push_back("frequency_fields_*.vtu (" + std::to_string(frequency_fields_->written()) + ")");
  }
  if (far_field_) names.insert(names.end(), far_field_->files().begin(), far_field_->files().end());
  if (port_waves_) names.insert(names.end(), port_waves_->files().begin(), port_waves_->files().end());
  if (probes_) names.emplace_back("probes.csv");
  if (energy_.is_written()) names.emplace_back("energy.csv");
  if (balance_) names.emplace_back("balance.csv");
  return names;
}

}  // namespace maxwell_dg::simulation
