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

#include "apps/config/materials/loss_tangent.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/pml_region.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/source_end.hpp"
#include "apps/simulation/text.hpp"
#include "dg/mesh/quality.hpp"

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
  return (has_pml(plan.config) ? 1e3 : 1.1) * initial + 1e6 * amplitude * amplitude * plan.whole.volume;
}

/// When all sources have ended, or are steady, and what they sent has crossed the mesh; infinite where that is not
/// known: currents, active media.
double settled_time(const Plan& plan) {
  const config::Config& config = plan.config;
  constexpr double never = std::numeric_limits<double>::infinity();
  if (std::ranges::any_of(config.materials, &config::Material::active)) return never;
  if (!config::sources_of<config::Current>(config).empty()) return never;
  double end = 0;
  for (const dg::maxwell::Waveform& waveform : waveforms(config))
    end = std::max(end, end_of(plan, waveform, plan.end()));
  double last = 0;  // of the ports, driven one after the other
  for (const dg::maxwell::Port& port : plan.ports) last = std::max(last, port.driven_from.value_or(0));
  return end + last + plan.whole.diagonal / plan.whole.least_speed;
}

struct GrowthLimits {
  double over_largest{}, over_least{};  ///< dg::HealthCheck::Options::growth_limit, regrowth_limit
};

/// How much the energy may grow when sources have settled. Those that have ended add nothing, and a passive model has
/// no energy but that of its fields, unless
/// - steady sources drive a resonance on,
/// - poles or lumped elements hold energy that fields get back; how much is not known,
/// - charges stay behind in a PML: their field along the depth grows by 1 + G / alpha (docs/theory.md), where G is the
///   damping, in nepers a length.
GrowthLimits growth_limits(const Plan& plan) {
  const config::Config& config = plan.config;
  constexpr double none = std::numeric_limits<double>::infinity();
  for (const auto& [source, waveform] : config::waveforms_of(config)) {
    if (waveform.type == config::Waveform::Type::sine) return {.over_largest = 1e6, .over_least = none};
  }
  if (!config.elements.empty() || std::ranges::any_of(config.materials, config::is_dispersive)) {
    return {.over_largest = 100, .over_least = none};
  }
  if (!plan.pml) return {.over_largest = 10, .over_least = 1e3};
  const double grown = 1 + plan.pml->largest_damping() / alpha_of_pml(config);
  return {.over_largest = 100, .over_least = std::max(1e3, 10 * grown * grown)};
}

/// What may be wrong with the PML where fields have grown in it.
std::string remedy_of_pml(const config::Config& config, double reflection) {
  const std::string where = "the PML there (" + key_of_pml(config) + ")";
  if (alpha_of_pml(config) == 0) {
    return where + ", in which static fields grow with alpha 0: leave pml.alpha out";
  }
  return where + ", which may damp too much for its elements: take " +
         (config.pml ? "a larger pml.reflection (it is " + brief(reflection) + ") or " : "") +
         "more elements across it";
}

}  // namespace

std::string likely_causes(const Plan& plan, std::size_t k) {
  constexpr double flat = 0.1;  // of quality 1
  const double cfl = plan.config.solver.cfl;
  if (cfl > 1) return "solver.cfl is " + brief(cfl) + ": steps above 1 are not stable, take 1 or less";
  const auto& materials = plan.config.materials;
  for (std::size_t i = 0; i < materials.size(); ++i) {
    if (!materials[i].active) continue;
    return "materials." + std::to_string(i) +
           " is active, a gain medium, in which fields grow as long as the run goes on: end it earlier, or give less "
           "gain";
  }
  const dg::Discretization& d = *plan.discretization;
  std::vector<std::string> causes;
  if (plan.pml && elements_of_terms(plan.problem, d.K(), "pml").at(k)) {
    causes.push_back(remedy_of_pml(plan.config, plan.pml->reflection()));
  }
  if (dg::quality(d.mesh, d.geometry, k) < flat) causes.emplace_back("this flat element: mesh better there");
  if (d.mesh.curved.is_curved(k)) {
    causes.emplace_back("this element, which is curved or has a medium that varies in it: mesh finer there");
  }
  causes.push_back("too large a step: try a smaller solver.cfl (it is " + brief(cfl) + ")");
  if (causes.size() == 1) causes.emplace_back("material values or amplitudes that are far too large");
  std::string text = "likely causes, the first one first: ";
  for (std::size_t i = 0; i < causes.size(); ++i) text += (i > 0 ? "; " : "") + causes[i];
  return text;
}

dg::HealthCheck::Options health_options(const Plan& plan, const dg::Operator& op, const dg::Sink& sink,
                                        const dg::Archive* resumed) {
  const GrowthLimits limits = growth_limits(plan);
  dg::DecayRecord::Options decay{.end = plan.end(), .turns = turns_of(plan.config), .name = "health.decay"};
  if (plan.end_rule) decay.window = plan.end_rule->window;
  std::optional<std::filesystem::path> file;
  if (const auto* directory = sink.directory()) file = *directory / "diverged.vtu";
  constexpr long usually = 20;
  return {.every = plan.end_rule ? std::min(plan.end_rule->every, usually) : usually,
          .energy_limit = energy_limit(plan, op),
          .scaling = plan.file_scaling,
          .time_unit = config::unit_in(plan.config.units, " s"),
          .length_unit = config::unit_in(plan.config.units, " m"),
          .settled_time = settled_time(plan),
          .growth_limit = limits.over_largest,
          .regrowth_limit = limits.over_least,
          .remedy = [&plan](std::size_t k) { return likely_causes(plan, k); },
          .file = std::move(file),
          .decay = dg::DecayRecord(std::move(decay)),
          .resumed = resumed};
}

}  // namespace maxwell_dg::simulation
