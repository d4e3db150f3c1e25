#include "apps/simulation/elements.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "apps/config/elements/element_keys.hpp"
#include "apps/config/materials/media.hpp"
#include "apps/config/scaling.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/gaps.hpp"
#include "dg/maxwell/lumped_port.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace maxwell = dg::maxwell;

maxwell::LumpedElement make(const config::Config& config, const dg::Discretization& d, const dg::Problem& problem,
                            const std::string& key, const config::LumpedElement& element) {
  if (config::is_anisotropic(config)) refuse(config, key, "does not go with tensors under `materials`");
  maxwell::Gap gap = find_gap(config, d, key, element.boundary, element.from, element.to);
  constexpr double any_resistance = 1;  // how voltage and current spread does not depend on it
  try {
    return {.mode = maxwell::lumped_mode(d, problem, std::move(gap), any_resistance, config.symmetry),
            .circuit = config::circuit_of(element, config::Scaling::of(config))};
  } catch (const std::invalid_argument& error) {
    refuse(config, key + ".boundary", "'" + element.boundary + "' " + error.what());
  }
}

/// What is there already where the film takes the place of the flux.
std::map<dg::FaceTerm::Face, std::string> taken_faces(const dg::Problem& problem) {
  std::map<dg::FaceTerm::Face, std::string> taken;
  for (const dg::FaceTerm& term : problem.face_terms) {
    const std::string what = term.name == "sheet"           ? "a sheet"
                             : term.name == "total_field"   ? "the surface of a total field"
                             : term.name.starts_with("pml") ? "the PML"
                                                            : "'" + term.name + "'";
    for (const dg::FaceTerm::Face& face : term.faces) taken.emplace(face, what);
  }
  for (const dg::ElementTerm& term : problem.element_terms) {
    if (!term.name.starts_with("pml")) continue;
    for (const std::int32_t k : term.elements) {
      for (std::int32_t face = 0; face < 4; ++face) taken.emplace(dg::FaceTerm::Face{k, face}, "the PML");
    }
  }
  return taken;
}

}  // namespace

std::vector<maxwell::LumpedElement> make_elements(const config::Config& config, const dg::Discretization& d,
                                                  const dg::Problem& problem) {
  std::vector<maxwell::LumpedElement> elements;
  for (std::size_t i = 0; i < config.elements.size(); ++i) {
    elements.push_back(make(config, d, problem, "elements." + std::to_string(i), config.elements[i]));
  }
  return elements;
}

void add_element_terms(const config::Config& config, const std::vector<maxwell::LumpedElement>& elements,
                       dg::Problem& problem) {
  if (elements.empty()) return;
  const std::map<dg::FaceTerm::Face, std::string> taken = taken_faces(problem);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (const auto& [element, face] : elements[i].mode.faces) {
      if (element == dg::PointLocation::elsewhere) continue;
      const auto found = taken.find({static_cast<std::int32_t>(element), face});
      if (found == taken.end()) continue;
      refuse(config, "elements." + std::to_string(i) + ".boundary",
             "'" + config.elements[i].boundary + "' has faces that " + found->second +
                 " covers already: give it faces of its own in the mesh");
    }
  }
  for (dg::FaceTerm& term : maxwell::lumped_element_terms(problem.system, elements)) {
    problem.face_terms.push_back(std::move(term));
  }
}

dg::ElementSignals::Options element_signal_options(const Plan& plan, dg::Sink& sink) {
  dg::ElementSignals::Options options{.sink = sink,
                                      .elements = {},
                                      .every = plan.config.outputs.elements.value().every,
                                      .time_factor = plan.file_scaling.time,
                                      .current_factor = plan.scaling.impedance};
  for (std::size_t i = 0; i < plan.elements.size(); ++i) {
    options.elements.push_back({plan.config.elements[i].name, plan.elements[i].mode});
  }
  return options;
}

void add_element_signals(const Plan& plan, dg::Operator::Usage& usage) {
  if (!plan.config.outputs.elements) return;
  std::size_t faces = 0;
  for (const maxwell::LumpedElement& element : plan.elements) faces += element.mode.faces.size();
  usage.records.push_back({faces * static_cast<std::size_t>(plan.discretization->Nfp()),
                           plan.problem.system.fields.size(), dg::ElementSignals::batch});
}

}  // namespace maxwell_dg::simulation
