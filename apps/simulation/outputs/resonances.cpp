#include "apps/simulation/outputs/resonances.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "apps/simulation/blame.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/text.hpp"
#include "dg/maxwell/waveform_band.hpp"
#include "dg/observe/files/csv_file.hpp"
#include "dg/observe/harmonic_inversion.hpp"

namespace maxwell_dg::simulation {

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

/// What a longer run or another probe may not show again: of a lossless box, whose modes are known, the artefacts had
/// up to 2.6 % of the amplitude of the strongest mode, and true modes with an error above 1e-4 were off by up to 0.3 %.
bool is_doubtful(const dg::Resonance& resonance, double largest_amplitude) {
  return std::abs(resonance.amplitude) < 0.05 * largest_amplitude || resonance.error > 1e-4;
}

/// A pulse still driven is no free oscillation, and a sine never ends.
void warn_of_driven_signals(const Plan& plan, const config::ResonanceOutput& asked) {
  for (const auto& [of_source, waveform] : config::waveforms_of(plan.config)) {
    if (waveform.type == config::Waveform::Type::expression) continue;
    const bool is_sine = waveform.type == config::Waveform::Type::sine;
    const double end = dg::maxwell::end_of(make_waveform(plan.config, waveform)) / plan.scaling.time;
    if (!is_sine && asked.start >= 0.9 * end) continue;
    warn(plan.config, "outputs.resonances.start",
         of_source + (is_sine ? " is a sine, which never ends: its frequency will be among the resonances; take a pulse"
                              : " drives the fields until " + time_text(end, plan.config.units) +
                                    ": only later signals are free oscillations; start then"));
  }
}

}  // namespace

void check_resonances(const Plan& plan) {
  if (!plan.config.outputs.resonances) return;
  const config::ResonanceOutput& asked = *plan.config.outputs.resonances;
  const double dt = plan.dt / plan.scaling.time, end = plan.config.end_time();
  if (two_pi * asked.to * dt > std::numbers::pi) {
    refuse(plan.config, "outputs.resonances.to",
           "is above what steps of " + time_text(dt, plan.config.units) + " hold, " +
               frequency_text(0.5 / dt, plan.config.units));
  }
  const double needed = static_cast<double>(dg::fewest_samples(dt, two_pi * asked.from, two_pi * asked.to) + 1) * dt;
  if (end - asked.start < needed) {
    refuse(plan.config, "outputs.resonances",
           "the signals last " + time_text(std::max(end - asked.start, 0.0), plan.config.units) +
               " from start to the end of the run, and " + time_text(needed, plan.config.units) +
               " are needed, five periods of the band's width (to - from = " +
               frequency_text(asked.to - asked.from, plan.config.units) + "): let the run last until " +
               time_text(asked.start + needed, plan.config.units) + " or longer, start earlier, or widen the band");
  }
  warn_of_driven_signals(plan, asked);
}

std::optional<std::vector<ProbeResonance>> find_resonances(const Plan& plan, const dg::Table& table) {
  const config::ResonanceOutput& asked = *plan.config.outputs.resonances;
  const std::vector<double>& time = table.column("time");
  const auto first = static_cast<std::size_t>(std::ranges::lower_bound(time, asked.start) - time.begin());
  const double dt = time.size() > 1 ? (time.back() - time.front()) / static_cast<double>(time.size() - 1) : 0.0;

  std::vector<ProbeResonance> resonances;
  const std::size_t needed = dg::fewest_samples(dt, two_pi * asked.from, two_pi * asked.to);
  if (time.size() < first + needed) {  // check_resonances has seen to it that a whole run's are long enough
    warn(plan.config, "outputs.resonances",
         "the run was broken off before the signals were long enough; "
         "resonances.csv is not written");
    return std::nullopt;
  }
  for (const std::string& probe : asked.probes) {
    // In its strongest field, each in its own unit: E in V/m, H as the E that goes with it.
    std::span<const double> strongest;
    std::string field;
    double largest = -1;
    for (std::size_t f = 0; f < plan.problem.system.fields.size(); ++f) {
      const std::string& name = plan.problem.system.fields[f];
      const auto signal = std::span<const double>(table.column(probe + "." + name)).subspan(first);
      double size = 0;
      for (const double q : signal) size = std::max(size, std::abs(q));
      size /= plan.file_scaling.fields[f];
      if (size > largest) {
        largest = size;
        strongest = signal;
        field = name;
      }
    }
    const std::vector<dg::Resonance> found =
        dg::harmonic_inversion(strongest, dt, two_pi * asked.from, two_pi * asked.to);
    double largest_amplitude = 0;
    for (const dg::Resonance& r : found) largest_amplitude = std::max(largest_amplitude, std::abs(r.amplitude));
    for (const dg::Resonance& r : found) {
      resonances.push_back({.probe = probe,
                            .field = field,
                            .frequency = r.frequency(),
                            .q = r.Q(),
                            .amplitude = 2 * std::abs(r.amplitude),
                            .error = r.error,
                            .is_doubtful = is_doubtful(r, largest_amplitude)});
    }
  }
  return resonances;
}

std::string csv_of(const std::vector<ProbeResonance>& resonances) {
  std::string text = "probe,field,frequency,q,amplitude,error,doubtful\n";
  for (const ProbeResonance& r : resonances) {
    text += r.probe + "," + r.field + "," + dg::shortest(r.frequency) + "," + dg::shortest(r.q) + "," +
            dg::shortest(r.amplitude) + "," + dg::shortest(r.error) + "," + (r.is_doubtful ? "1" : "0") + "\n";
  }
  return text;
}

}  // namespace maxwell_dg::simulation
