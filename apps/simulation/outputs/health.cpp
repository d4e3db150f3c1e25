#include "apps/simulation/outputs/health.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/simulation/outputs/decay.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/text.hpp"
#include "dg/maxwell/waveform_band.hpp"
#include "dg/mesh/box_tree.hpp"

namespace maxwell_dg::simulation {
namespace {

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

}  // namespace

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

}  // namespace maxwell_dg::simulation
