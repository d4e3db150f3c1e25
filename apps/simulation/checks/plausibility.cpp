#include "apps/simulation/checks/plausibility.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "apps/config/unit_guess.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/mesh_warnings.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/text.hpp"

namespace maxwell_dg::simulation {
namespace {

using config::guess_of_unit;
using config::strangeness;
using core::Dimension;

std::string guess_within_run(const Plan& plan, double time) {
  const double end = plan.config.end_time();
  if (time < 1e3 * end) return "";  // a unit is a thousand times another at least
  return guess_of_unit(plan.config, time, Dimension::time, [&](double t) { return strangeness(t, 0.1 * end, 30); });
}

void warn_of_step(const Plan& plan) {
  const double cfl = plan.config.solver.cfl;
  if (cfl > 1) {
    warn(plan.config, "solver.cfl",
         brief(cfl) +
             " times the largest time step that is known to be stable: the run will most probably diverge; "
             "take 1 or less");
  }
  constexpr long many = 100'000'000;
  if (plan.steps >= many) {
    warn(plan.config, plan.config.end_key(),
         brief(static_cast<double>(plan.steps)) + " steps are more than anybody waits for" + guess_of_end(plan));
  }
}

void warn_of_interval(const Plan& plan, const std::string& key, const std::optional<double>& every) {
  const double end = plan.config.end_time();
  if (!every || *every <= end * (1 + 1e-9)) return;
  warn(plan.config, key,
       time_text(*every, plan.config.units) + " is longer than the run, " + time_text(end, plan.config.units) +
           ": there is no file but the one of the beginning" + guess_within_run(plan, *every));
}

void warn_of_intervals(const Plan& plan) {
  const config::Outputs& outputs = plan.config.outputs;
  if (outputs.fields) warn_of_interval(plan, "outputs.fields.every", outputs.fields->every);
  if (outputs.surface_fields) warn_of_interval(plan, "outputs.surface_fields.every", outputs.surface_fields->every);
  if (outputs.energy && outputs.energy->every > plan.steps) {
    warn(plan.config, "outputs.energy.every",
         std::to_string(outputs.energy->every) + " steps are more than the run has, " + std::to_string(plan.steps) +
             ": there are no lines but those of the beginning and the end");
  }
}

/// `turns`: how often the pulse is sent, one time after the other.
void warn_of_waveform(const Plan& plan, const config::Waveform& waveform, std::size_t turns, const std::string& key) {
  using Type = config::Waveform::Type;
  const bool is_pulse = waveform.type == Type::gaussian_pulse;
  if (is_pulse && waveform.bandwidth > 2 * waveform.frequency) {
    warn(plan.config, key + ".bandwidth",
         "is more than twice the frequency, " + frequency_text(waveform.frequency, plan.config.units) +
             ": the band would begin below 0, and the spectrum is not the one that frequency and bandwidth describe; "
             "take a bandwidth of at most " +
             frequency_text(2 * waveform.frequency, plan.config.units) + ", or a ricker");
  }
  if (!is_pulse && waveform.type != Type::ricker) return;
  const double peak = dg::maxwell::peak_time(make_waveform(plan.config, waveform)) / plan.scaling.time;
  const double end = plan.config.end_time() / static_cast<double>(turns);
  if (peak <= end) return;
  warn(plan.config, waveform.delay ? key + ".delay" : key,
       "the pulse peaks at t = " + time_text(peak, plan.config.units) + ", after " +
           (turns > 1 ? "its port's share of the run, " : "the run ends, at ") + time_text(end, plan.config.units) +
           (waveform.delay ? guess_within_run(plan, peak) : "; simulate a longer time"));
}

}  // namespace

std::string guess_of_end(const Plan& plan) {
  if (plan.config.time.periods) return "";
  const double frequency = highest_frequency(plan.config);
  return guess_of_unit(plan.config, plan.config.end_time(), Dimension::time, [&](double end) {
    if (frequency > 0) return strangeness(end * frequency, 20, 1e3);  // periods
    return strangeness(end * plan.scaling.time / plan.largest_dt, 1e4, 1e3);
  });
}

std::string not_in_first_source(const Plan& plan, double frequency) {
  const dg::maxwell::Waveform first = waveforms(plan.config).front();
  const double its = first.frequency / plan.scaling.frequency;
  const bool is_sine = first.kind == dg::maxwell::Waveform::Kind::sine;
  return frequency_text(frequency, plan.config.units) + " is not in the first source, " +
         (is_sine ? "a sine of " : "whose spectrum is below -60 dB there; it peaks at ") +
         frequency_text(its, plan.config.units) +
         guess_of_unit(plan.config, frequency, Dimension::frequency, [&](double f) { return strangeness(f, its, 10); });
}

void warn_of_config(const Plan& plan) {
  warn_of_step(plan);
  warn_of_intervals(plan);
  for (std::size_t i = 0; i < plan.config.sources.size(); ++i) {
    const config::Source& source = plan.config.sources[i];
    const config::Waveform* waveform = config::waveform_of(source);
    if (waveform == nullptr) continue;
    const bool takes_turns = std::holds_alternative<config::DrivenPorts>(source);
    const std::size_t turns = takes_turns ? turns_of(plan.config) : 1;
    warn_of_waveform(plan, *waveform, turns, "sources." + std::to_string(i) + ".waveform");
  }
}

void warn_of_plan(const Plan& plan) {
  warn_of_mesh(plan);
  warn_of_config(plan);
}

}  // namespace maxwell_dg::simulation
