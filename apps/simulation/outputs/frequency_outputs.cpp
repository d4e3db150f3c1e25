#include "apps/simulation/outputs/frequency_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "apps/config/named_parts.hpp"
#include "apps/config/resolve.hpp"
#include "apps/config/transforms.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/mesh_warnings.hpp"
#include "apps/simulation/checks/plausibility.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/text.hpp"
#include "core/error.hpp"
#include "core/mpi/first_error.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/maxwell/waveform_band.hpp"
#include "dg/observe/files/field_groups.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace maxwell = dg::maxwell;

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
  if (config.outputs.far_field) {
    lists.push_back({"outputs.far_field.frequencies", &config.outputs.far_field->frequencies});
  }
  return lists;
}

/// Above this frequency the fields hold next to nothing; infinite where that is not known.
double end_of_band(const Plan& plan) {
  const auto fields = config::expressions(plan.config, plan.config.initial_fields, plan.problem.system);
  const bool starts_from_zero =
      std::all_of(fields.begin(), fields.end(), [](const auto& f) { return f.is_constant(0); });
  const std::vector<maxwell::Waveform> sources = waveforms(plan.config);
  const bool all_known = sources.size() == plan.config.sources.size();  // a current has an expression
  if (!starts_from_zero || sources.empty() || !all_known) return std::numeric_limits<double>::infinity();
  double edge = 0;
  for (const maxwell::Waveform& w : sources) edge = std::max(edge, maxwell::band_edge(w, negligible_content));
  return edge;
}

void warn_of_coarse_mesh(const Plan& plan, const Wanted& list) {
  constexpr double fewest = 4;
  const double highest = *std::max_element(list.frequencies->begin(), list.frequencies->end());
  const double points = worst_resolution(plan, highest).points_per_wavelength;
  if (points >= fewest) return;
  warn(plan.config, list.key,
       "at " + frequency_text(highest, plan.config.units) + " the mesh has " + brief(points) +
           " nodes per wavelength where it is coarsest; waves are damped with fewer than " + brief(fewest) +
           ": take a finer mesh or a higher order");
}

/// A single frequency and the key it stands under.
struct Tone {
  std::string key;
  double frequency;
};

/// The highest that each output asks for, and those of sine waves.
std::vector<Tone> tones(const config::Config& config) {
  std::vector<Tone> result;
  for (const config::Transform& asked : config::transforms(config))
    result.push_back({asked.highest_key, asked.highest});
  for (const auto& [source, waveform] : config::waveforms_of(config)) {
    if (waveform.type != config::Waveform::Type::sine) continue;
    result.push_back({source + ".waveform.frequency", waveform.frequency});
  }
  return result;
}

}  // namespace

std::optional<dg::symbolic::Expr> reference_signal(const Plan& plan) {
  const std::vector<maxwell::Waveform> sources = waveforms(plan.config);
  if (sources.empty()) return std::nullopt;
  return maxwell::value_at(sources.front(), dg::symbolic::time());
}

void check_frequencies(const Plan& plan) {
  const std::vector<Wanted> lists = wanted(plan.config);
  for (const Wanted& list : lists) warn_of_coarse_mesh(plan, list);
  const std::vector<maxwell::Waveform> sources = waveforms(plan.config);
  if (lists.empty() || sources.empty()) return;
  const maxwell::Waveform& first = sources.front();
  std::string findings;
  for (const Wanted& list : lists) {
    for (std::size_t i = 0; i < list.frequencies->size(); ++i) {
      const double frequency = list.frequencies->at(i);
      const double level = maxwell::relative_spectrum(first, frequency * plan.scaling.frequency);
      if (level >= least_spectrum) continue;
      findings += (findings.empty() ? "" : "\n") +
                  plan.config.blame(list.key + "." + std::to_string(i), not_in_first_source(plan, frequency));
    }
  }
  if (!findings.empty()) throw ConfigError(findings);
  if (first.kind == maxwell::Waveform::Kind::sine && plan.dt * static_cast<double>(plan.steps) * first.frequency < 2) {
    refuse(plan.config, lists.front().key, "a sine needs a run of at least two periods, during which it ramps up");
  }
}

void require_carried(const Plan& plan) {
  constexpr double fewest = 2, highest_order = 9;
  const std::vector<Tone> asked = tones(plan.config);
  if (asked.empty()) return;
  std::vector<double> points = points_per_wavelength(plan, 1.0);  // at another frequency, as many times fewer
  points.resize(plan.discretization->own());
  const double middle = core::nth_of(plan.ranks_with_parts(), std::move(points), plan.whole.elements / 2);
  const double carried = middle / fewest;
  std::string findings;
  for (const auto& [key, frequency] : asked) {
    if (frequency <= carried) continue;
    const double order = std::ceil(plan.config.solver.order * frequency / carried);
    findings += (findings.empty() ? "" : "\n") +
                plan.config.blame(key, "the mesh does not resolve " + frequency_text(frequency, plan.config.units) +
                                           ": half of its elements have at most " + brief(middle / frequency) +
                                           " points per wavelength (order times wavelength over longest edge); " +
                                           brief(fewest) + " are needed, which they have up to " +
                                           frequency_text(carried, plan.config.units) + "; make edges " +
                                           brief(frequency / carried) + " times shorter" +
                                           (order > highest_order ? "" : ", or take solver.order " + brief(order)));
  }
  if (!findings.empty()) throw ConfigError(findings);
}

std::vector<double> frequencies_inside(const Plan& plan, std::vector<double> frequencies) {
  for (double& f : frequencies) f *= plan.scaling.frequency;
  return frequencies;
}

std::optional<dg::FourierSampling> fourier_sampling(const Plan& plan) {
  double highest = 0;
  for (const config::Transform& asked : config::transforms(plan.config)) {
    if (asked.sums_up) highest = std::max(highest, asked.highest * plan.scaling.frequency);
  }
  if (highest == 0) return std::nullopt;
  const std::vector<maxwell::Waveform> sources = waveforms(plan.config);
  if (!sources.empty() && sources.front().kind == maxwell::Waveform::Kind::sine) {
    return dg::sample_tone(plan.dt, plan.steps, sources.front().frequency);
  }
  return dg::sample_pulse(plan.dt, plan.steps, end_of_band(plan), highest);
}

dg::FrequencyFields::Options frequency_field_options(const Plan& plan, dg::Sink& sink) {
  const config::FrequencyFieldOutput& output = *plan.config.outputs.frequency_fields;
  return {.sink = sink,
          .quantities = output.quantities,
          .frequencies = frequencies_inside(plan, output.frequencies),
          .frequency_factor = 1 / plan.scaling.frequency,
          .sampling = *fourier_sampling(plan),
          .reference = reference_signal(plan),
          .scaling = plan.file_scaling};
}

std::vector<dg::Operator::Usage::Sums> frequency_sums(const config::Config& config, const dg::System& system,
                                                      std::size_t cells, std::size_t faces) {
  const int N = config.solver.order;
  std::vector<dg::Operator::Usage::Sums> sums;
  if (config.outputs.frequency_fields) {
    const config::FrequencyFieldOutput& output = *config.outputs.frequency_fields;
    std::size_t fields = 0;
    for (const dg::FieldGroup& group : dg::select_field_groups(system.fields, output.quantities)) {
      fields += group.fields.size();
    }
    sums.push_back({cells * static_cast<std::size_t>(dg::node_count(N)), fields, output.frequencies.size()});
  }
  if (config.outputs.far_field) {
    sums.push_back({faces * static_cast<std::size_t>(dg::face_node_count(N)), system.fields.size(),
                    config.outputs.far_field->frequencies.size()});
    sums.insert(sums.end(), turns_of(config) - 1, sums.back());
  }
  return sums;
}

}  // namespace maxwell_dg::simulation
