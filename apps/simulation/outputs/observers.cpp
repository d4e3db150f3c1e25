#include "apps/simulation/outputs/observers.hpp"

#include "apps/simulation/directory/resume.hpp"
#include "apps/simulation/elements.hpp"
#include "apps/simulation/outputs/far_field.hpp"
#include "apps/simulation/outputs/frequency_outputs.hpp"
#include "apps/simulation/outputs/health.hpp"
#include "apps/simulation/outputs/probe_spectra.hpp"
#include "apps/simulation/ports.hpp"
#include "core/counted.hpp"

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

dg::Checkpoints::Options checkpoint_options(const Plan& plan, const std::string& kernel_variant,
                                            std::vector<dg::Observer*> observers) {
  const config::Checkpoint& wanted = *plan.config.checkpoint;
  dg::Checkpoints::Options options{.directory = plan.config.outputs.directory,
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
    : is_alone_(op.ranks().size() == 1),
      energy_(op, energy_options(plan, sink, resumed)),
      health_(op, health_options(plan, op, sink, resumed)) {
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
        if (at.cell != dg::PointLocation::elsewhere) at.cell = view.element(at.cell, part);
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
  }
  if (wants_port_levels(plan)) {
    dg::PortLevels::Options options = port_level_options(plan);
    options.levels.resumed = resumed;
    all_.push_back(&port_levels_.emplace(op, options));
  }
  if (wants_probe_levels(plan)) {
    dg::ProbeLevels::Options options = probe_level_options(plan);
    options.levels.resumed = resumed;
    all_.push_back(&probe_levels_.emplace(op, options));
  }
  if (outputs.elements) {
    dg::ElementSignals::Options options = element_signal_options(plan, sink);
    options.resumed = resumed;
    all_.push_back(&element_signals_.emplace(op, options));
  }
  if (plan.end_rule) all_.push_back(&ending_.emplace(plan, resumed));
  if (plan.config.checkpoint) {
    checkpoints_.emplace(op, checkpoint_options(plan, op.variant(), all_));
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

void Observers::complete() {
  if (frequency_fields_) frequency_fields_->complete();
  if (far_field_) far_field_->complete();
  if (port_waves_) port_waves_->complete();
}

void Observers::bring_levels(dg::Operator& op, const dg::Moment& now) {
  health_.flush(op, now);
  if (port_levels_) port_levels_->flush(op, now);
  if (probe_levels_) probe_levels_->flush(op, now);
}

std::vector<std::string> Observers::files() const {
  std::vector<std::string> names;
  const auto add_series = [&](const char* file, std::size_t count) {
    names.push_back(file + std::string(" (") + core::counted(count, "snapshot", "snapshots") + ")");
  };
  if (fields_) add_series("fields.pvd", fields_->snapshots());
  if (surface_fields_) add_series("surface_fields.pvd", surface_fields_->snapshots());
  if (frequency_fields_ && frequency_fields_->written() > 0) {
    names.push_back(std::string("frequency_fields_*") + (is_alone_ ? ".vtu (" : ".pvtu (") +
                    std::to_string(frequency_fields_->written()) + ")");
  }
  if (far_field_) names.insert(names.end(), far_field_->files().begin(), far_field_->files().end());
  if (port_waves_) names.insert(names.end(), port_waves_->files().begin(), port_waves_->files().end());
  if (probes_) names.emplace_back("probes.csv");
  if (element_signals_) names.emplace_back("elements.csv");
  if (energy_.is_written()) names.emplace_back("energy.csv");
  if (balance_) names.emplace_back("balance.csv");
  return names;
}

}  // namespace maxwell_dg::simulation
