#include "apps/maxwell_dg/frequency_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "apps/config/resolve.hpp"
#include "apps/maxwell_dg/physics.hpp"
#include "apps/maxwell_dg/text.hpp"
#include "core/error.hpp"
#include "dg/maxwell/waveform_band.hpp"
#include "dg/observe/field_groups.hpp"

namespace maxwell_dg {
namespace {

namespace maxwell = dg::maxwell;

constexpr double least_spectrum = 1e-3;      // of its largest: below, rounding and reflections take over
constexpr double negligible_content = 1e-6;  // of a pulse's spectrum: less is left to alias

/// A list of frequencies and the key it stands under.
struct Wanted {
  std::string key;
  const std::vector<double>* frequencies;
};
std::vector<Wanted> wanted(const config::Config& config) {
  std::vector<Wanted> lists;
  if (config.outputs.frequency_fields) {
    lists.push_back({"outputs.frequency_fields.frequencies", &config.outputs.frequency_fields->frequencies});
  }
  return lists;
}

std::vector<double> inside(const Plan& plan, std::vector<double> frequencies) {
  for (double& f : frequencies) f *= plan.scaling.frequency;
  return frequencies;
}

std::string frequency_text(const Plan& plan, double frequency) {
  return with_prefix(frequency, plan.config.units == config::Units::si ? "Hz" : "");
}

/// Above this frequency the fields hold next to nothing; infinite where that is not known.
double end_of_band(const Plan& plan) {
  const auto fields = config::expressions(plan.config, plan.config.initial_fields, plan.problem.system);
  const bool starts_from_zero =
      std::all_of(fields.begin(), fields.end(), [](const auto& f) { return f.is_constant(0); });
  const std::vector<maxwell::Waveform> sources = waveforms(plan.config);
  if (!starts_from_zero || sources.empty()) return std::numeric_limits<double>::infinity();
  double edge = 0;
  for (const maxwell::Waveform& w : sources) edge = std::max(edge, maxwell::band_edge(w, negligible_content));
  return edge;
}

/// The first source's signal at the origin, over which fields are written.
std::optional<dg::symbolic::Expr> reference_signal(const Plan& plan) {
  if (plan.config.sources.empty()) return std::nullopt;
  return maxwell::value_at(waveforms(plan.config).front(), dg::symbolic::time());
}

}  // namespace

void check_frequencies(const Plan& plan) {
  const std::vector<Wanted> lists = wanted(plan.config);
  const std::vector<maxwell::Waveform> sources = waveforms(plan.config);
  if (lists.empty() || sources.empty()) return;
  const maxwell::Waveform& first = sources.front();
  std::string findings;
  for (const Wanted& list : lists) {
    for (std::size_t i = 0; i < list.frequencies->size(); ++i) {
      const double frequency = list.frequencies->at(i);
      const double level = maxwell::relative_spectrum(first, frequency * plan.scaling.frequency);
      if (level >= least_spectrum) continue;
      const bool sine = first.kind == maxwell::Waveform::Kind::sine;
      findings += (findings.empty() ? "" : "\n") +
                  plan.config.blame(list.key + "." + std::to_string(i),
                                    frequency_text(plan, frequency) + " is not in the first source, " +
                                        (sine ? "a sine of " : "whose spectrum is below -60 dB there; it peaks at ") +
                                        frequency_text(plan, first.frequency / plan.scaling.frequency));
    }
  }
  if (!findings.empty()) throw ConfigError(findings);
  if (first.kind == maxwell::Waveform::Kind::sine && plan.dt * static_cast<double>(plan.steps) * first.frequency < 2) {
    throw ConfigError(plan.config.blame(
        lists.front().key, "the tone of a sine needs a run of two periods or more, two of which it takes to ramp up"));
  }
}

std::optional<dg::FourierSampling> fourier_sampling(const Plan& plan) {
  double highest = 0;
  for (const Wanted& list : wanted(plan.config)) {
    for (const double f : *list.frequencies) highest = std::max(highest, f * plan.scaling.frequency);
  }
  if (highest == 0) return std::nullopt;
  const std::vector<maxwell::Waveform> sources = waveforms(plan.config);
  if (!sources.empty() && sources.front().kind == maxwell::Waveform::Kind::sine) {
    return dg::sample_tone(plan.dt, plan.steps, sources.front().frequency);
  }
  return dg::sample_pulse(plan.dt, plan.steps, end_of_band(plan), highest);
}

dg::FrequencyFields::Options frequency_field_options(const Plan& plan) {
  const config::FrequencyFieldOutput& output = *plan.config.outputs.frequency_fields;
  return {.directory = plan.config.outputs.directory,
          .quantities = output.quantities,
          .frequencies = inside(plan, output.frequencies),
          .sampling = *fourier_sampling(plan),
          .reference = reference_signal(plan),
          .scaling = plan.file_scaling};
}

std::size_t frequency_output_bytes(const config::Config& config, const dg::System& system, std::size_t cells) {
  if (!config.outputs.frequency_fields) return 0;
  const config::FrequencyFieldOutput& output = *config.outputs.frequency_fields;
  std::size_t fields = 0;
  for (const dg::FieldGroup& group : dg::select_field_groups(system.fields, output.quantities)) {
    fields += group.fields.size();
  }
  const auto N = static_cast<std::size_t>(config.solver.order);
  return dg::FourierSums::forecast_bytes(cells * (N + 1) * (N + 2) * (N + 3) / 6, fields, output.frequencies.size(),
                                         config.solver.precision);
}

}  // namespace maxwell_dg
