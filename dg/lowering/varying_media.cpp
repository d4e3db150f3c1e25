#include "dg/lowering/varying_media.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
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
  const auto has_couplings = [](const System::Energy& energy) { return !energy.couplings.empty(); };
  if (lowered.energies.empty() || std::ranges::any_of(lowered.energies, has_couplings)) {
    throw ConfigError("media that vary within elements: the energy of " + problem.system.name +
                      " with these media is no sum of squares of fields (that of tensors is not); use scalar media, or "
                      "media that are constant in each element");
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

void integrate_varying_losses(Problem& problem) {
  const std::vector<double> rates =
      largest_in_each_element(problem, problem.system.relaxation_rate, problem.parameters.front().size());
  ElementTerm losses{.name = losses_term, .added = local_volume(problem.system), .elements = {}};
  std::ranges::copy_if(problem.varying.elements, std::back_inserter(losses.elements),
                       [&](std::int32_t k) { return rates[static_cast<std::size_t>(k)] != 0; });
  if (!losses.elements.empty()) problem.element_terms.push_back(std::move(losses));
}

}  // namespace maxwell_dg::dg
