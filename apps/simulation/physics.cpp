#include "apps/simulation/physics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/config/resolve.hpp"
#include "core/error.hpp"
#include "dg/maxwell/waveform_band.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace maxwell = dg::maxwell;

maxwell::Waveform::Kind kind_of(config::Waveform::Type type) {
  switch (type) {
    case config::Waveform::Type::sine: return maxwell::Waveform::Kind::sine;
    case config::Waveform::Type::gaussian_pulse: return maxwell::Waveform::Kind::gaussian_pulse;
    case config::Waveform::Type::ricker: return maxwell::Waveform::Kind::ricker;
    case config::Waveform::Type::expression: return maxwell::Waveform::Kind::expression;
  }
  throw std::logic_error("kind_of: unknown waveform");
}

}  // namespace

bool has_pml(const config::Config& config) {
  return config.pml || !config::boundaries_of<config::PmlSide>(config).empty();
}

std::vector<bool> elements_of_terms(const dg::Problem& problem, std::size_t elements, std::string_view beginning) {
  std::vector<bool> result(elements, false);
  for (const dg::ElementTerm& term : problem.element_terms) {
    if (!term.name.starts_with(beginning)) continue;
    for (const std::int32_t k : term.elements) result[dg::index(k)] = true;
  }
  return result;
}

maxwell::Waveform make_waveform(const config::Config& config, const config::Waveform& waveform) {
  const config::Scaling scaling = config::Scaling::of(config);
  maxwell::Waveform result{.kind = kind_of(waveform.type),
                           .frequency = waveform.frequency * scaling.frequency,
                           .bandwidth = waveform.bandwidth * scaling.frequency,
                           .amplitude = waveform.amplitude * scaling.electric};
  if (waveform.delay) result.delay = *waveform.delay * scaling.time;
  if (waveform.type == config::Waveform::Type::expression) {
    result.expression = config::expression(config, waveform.value);
  }
  return result;
}

dg::FileScaling file_scaling(const config::Config& config, const dg::System& system) {
  const config::Scaling scaling = config::Scaling::of(config);
  dg::FileScaling result{.time = 1 / scaling.time, .energy = 1 / scaling.energy};
  if (!config.symmetry.empty()) {
    result.parts.clear();
    for (const maxwell::MirrorImage& image : maxwell::mirror_images(config.symmetry)) {
      dg::MirroredPart& part = result.parts.emplace_back(dg::MirroredPart{.position = image.position});
      part.fields.assign(image.E.begin(), image.E.end());
      part.fields.insert(part.fields.end(), image.H.begin(), image.H.end());
    }
    result.energy *= static_cast<double>(result.parts.size());
  }
  for (const std::string& field : system.fields) result.fields.push_back(1 / scaling.field(field));
  for (const dg::System::Parameter& parameter : system.parameters) {
    result.parameters.push_back(1 / scaling.number(parameter.meaning.dimension));
  }
  return result;
}

bool has_initial_fields(const config::Config& config, const dg::System& system) {
  return !std::ranges::all_of(config::expressions(config, config.initial_fields, system),
                              [](const auto& field) { return field.is_constant(0); });
}

std::vector<maxwell::Waveform> waveforms(const config::Config& config) {
  std::vector<maxwell::Waveform> result;
  for (const auto& [source, waveform] : config::waveforms_of(config)) {
    result.push_back(make_waveform(config, waveform));
  }
  return result;
}

double highest_frequency(const config::Config& config) {
  double highest = 0;
  for (const maxwell::Waveform& waveform : waveforms(config)) {
    const double edge = maxwell::band_edge(waveform, 0.1);
    if (std::isfinite(edge)) highest = std::max(highest, edge / config::Scaling::of(config).frequency);
  }
  return highest;
}

}  // namespace maxwell_dg::simulation
