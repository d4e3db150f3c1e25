#include "dg/lowering/varying_media.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "dg/symbolic/fields.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

namespace {

/// [field] the weights of all energies together.
std::vector<double> energy_weights(const LoweredSystem& lowered, const std::vector<double>& constants) {
  std::vector<double> sum;
  for (const System::Energy& energy : lowered.energies) {
    const Program program(energy.weights);
    std::vector<double> work(program.size()), values(energy.weights.size());
    const auto constant = [&](const LoweredSymbol& s) { return constants[static_cast<std::size_t>(s.number)]; };
    program.run(Program::Lookup{.lowered = constant}, work, values);
    sum.resize(values.size());
    for (std::size_t f = 0; f < values.size(); ++f) sum[f] += values[f];
  }
  return sum;
}

}  // namespace

VaryingMedia::VaryingMedia(const LoweredSystem& lowered, const Problem& problem)
    : problem_(problem), ones_(static_cast<std::size_t>(problem.system.field_count()), 1.0) {
  const VaryingParameters& varying = problem.varying;
  if (!any()) return;
  if (lowered.energies.empty()) {
    throw ConfigError("media that vary within elements: " + problem.system.name +
                      " has no energy, which says how its media weigh fields; use media that are constant in each "
                      "element");
  }
  for (std::size_t k = 0; k < problem.parameters.front().size(); ++k) {
    of_elements_.push_back(lowered.constants_of(problem.parameters, k));
  }
  for (std::size_t i = 0; i < varying.elements.size(); ++i) {
    const std::vector<double> mean =
        energy_weights(lowered, of_elements_[static_cast<std::size_t>(varying.elements[i])]);
    for (std::size_t p = 0; p < varying.points; ++p) {
      at_points_.push_back(lowered.constants_of(varying.values, i * varying.points + p));
      std::vector<double>& weights = weights_.emplace_back(energy_weights(lowered, at_points_.back()));
      for (std::size_t f = 0; f < weights.size(); ++f) weights[f] /= mean[f];
    }
  }
}

std::span<const double> VaryingMedia::constants(std::size_t k, std::size_t point) const {
  const std::ptrdiff_t i = problem_.varying.find(k);
  return i < 0 ? of_elements_[k] : at_points_[static_cast<std::size_t>(i) * problem_.varying.points + point];
}

std::span<const double> VaryingMedia::weights(std::size_t k, std::size_t point) const {
  const std::ptrdiff_t i = problem_.varying.find(k);
  return i < 0 ? ones_ : weights_[static_cast<std::size_t>(i) * problem_.varying.points + point];
}

std::vector<Expr> local_volume(const System& system) {
  std::vector<Expr> local = system.volume;
  for (Expr& e : local) e = substitute(e, [](const Symbol& s) { return is_derivative(s) ? Expr(0.0) : Expr(s); });
  return local;
}

bool losses_are_a_term(const Problem& problem, const Discretization& discretization, std::size_t k) {
  return problem.varying.find(k) >= 0 || (problem.system.has_tensors() && discretization.mesh.curved.is_curved(k));
}

namespace {

/// Own elements with losses that are a term.
std::vector<std::int32_t> with_losses(const Problem& problem, const Discretization& d) {
  std::vector<std::int32_t> elements;
  if (!problem.varying.any() && !(d.curved && problem.system.has_tensors())) return elements;
  const std::vector<double> rates = largest_in_each_element(problem, problem.system.relaxation_rate, d.K());
  for (std::size_t k = 0; k < d.own(); ++k) {
    if (rates[k] != 0 && losses_are_a_term(problem, d, k)) elements.push_back(static_cast<std::int32_t>(k));
  }
  return elements;
}

}  // namespace

void integrate_losses(Problem& problem, const Discretization& discretization) {
  ElementTerm losses{
      .name = losses_term, .added = local_volume(problem.system), .elements = with_losses(problem, discretization)};
  if (!losses.elements.empty()) problem.element_terms.push_back(std::move(losses));
}

void require_integrated_losses(const Problem& problem, const Discretization& discretization) {
  const std::vector<std::int32_t> elements = with_losses(problem, discretization);
  const auto has_all = [&](const ElementTerm& term) {
    return term.name == losses_term && std::ranges::includes(term.elements, elements);
  };
  if (!elements.empty() && std::ranges::none_of(problem.element_terms, has_all)) {
    throw std::logic_error("a problem has losses that must be integrated, and no term of them");
  }
}

}  // namespace maxwell_dg::dg
