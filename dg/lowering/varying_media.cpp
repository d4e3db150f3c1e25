#include "dg/lowering/varying_media.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "core/in_parallel.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/symbolic/fields.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

namespace {

/// [field] the weights of all energies together.
Program energy_weights(const LoweredSystem& lowered) {
  std::vector<Expr> sums(lowered.volume.size(), 0.0);
  for (const System::Energy& energy : lowered.energies) {
    for (std::size_t f = 0; f < energy.weights.size(); ++f) sums[f] = sums[f] + energy.weights[f];
  }
  return Program(sums);
}

void evaluate(const Program& weights, std::span<const double> constants, std::span<double> results) {
  std::vector<double> work(weights.size());
  const auto constant = [&](const LoweredSymbol& s) { return constants[index(s.number)]; };
  weights.run(Program::Lookup{.lowered = constant}, work, results);
}

}  // namespace

VaryingMedia::VaryingMedia(const LoweredSystem& lowered, const Problem& problem, const MaterialTable& materials)
    : problem_(problem), materials_(materials), ones_(index(problem.system.field_count()), 1.0) {
  if (!any()) return;
  if (lowered.energies.empty()) {
    throw ConfigError("media that vary within elements: " + problem.system.name +
                      " has no energy, which says how its media weigh fields; use media that are constant in each "
                      "element");
  }
  const VaryingParameters& varying = problem.varying;
  const std::size_t constants = lowered.constants.size(), fields = ones_.size();
  const Program weights = energy_weights(lowered);
  const bool has_tensors = problem.system.has_tensors();
  at_points_.resize(varying.elements.size() * varying.points * constants);
  if (!has_tensors) weights_.resize(varying.elements.size() * varying.points * fields);
  for_each_in_parallel(varying.elements.size(), [&](std::size_t i) {
    std::vector<double> mean(fields), work(lowered.constants_program.size());
    if (!has_tensors) evaluate(weights, of_element(index(varying.elements[i])), mean);
    for (std::size_t place = i * varying.points; place < (i + 1) * varying.points; ++place) {
      const std::span<double> here = std::span(at_points_).subspan(place * constants, constants);
      lowered.constants_program.run([&](const Symbol& s) { return varying.values[index(s.index)][place]; }, work, here);
      if (has_tensors) continue;
      const std::span<double> over_mean = std::span(weights_).subspan(place * fields, fields);
      evaluate(weights, here, over_mean);
      for (std::size_t f = 0; f < fields; ++f) over_mean[f] /= mean[f];
    }
  });
}

std::span<const double> VaryingMedia::row(const std::vector<double>& rows, std::ptrdiff_t i, std::size_t point) const {
  const std::size_t places = problem_.varying.elements.size() * problem_.varying.points, count = rows.size() / places;
  return std::span(rows).subspan((static_cast<std::size_t>(i) * problem_.varying.points + point) * count, count);
}

std::span<const double> VaryingMedia::at_point(std::size_t k, std::size_t point) const {
  const std::ptrdiff_t i = problem_.varying.find(k);
  return i < 0 ? of_element(k) : row(at_points_, i, point);
}

std::span<const double> VaryingMedia::weights(std::size_t k, std::size_t point) const {
  if (any() && weights_.empty())
    throw std::logic_error("VaryingMedia: the weights of tensors are those of TensorWeights");
  const std::ptrdiff_t i = problem_.varying.find(k);
  return i < 0 ? ones_ : row(weights_, i, point);
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

void integrate_losses(Problem& problem, const Discretization& discretization, const core::Communicator& ranks) {
  ElementTerm losses{
      .name = losses_term, .added = local_volume(problem.system), .elements = with_losses(problem, discretization)};
  if (core::on_any(ranks, !losses.elements.empty())) problem.element_terms.push_back(std::move(losses));
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
