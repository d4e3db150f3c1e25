#include "dg/symbolic/system.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

int System::find_boundary(const std::string& boundary) const {
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    if (boundaries[i].name == boundary) return static_cast<int>(i);
  }
  return -1;
}

int System::find_absorbing() const {
  const auto found = std::ranges::find_if(boundaries, [](const Boundary& b) { return b.traits.absorbs; });
  return found == boundaries.end() ? -1 : static_cast<int>(found - boundaries.begin());
}

const System::Condition* System::find_condition(const std::string& condition) const {
  const auto found = std::ranges::find(conditions, condition, &Condition::name);
  return found == conditions.end() ? nullptr : &*found;
}

bool System::has_tensors() const {
  return std::ranges::any_of(energies, [](const Energy& energy) { return !energy.couplings.empty(); });
}

void System::add_condition(Condition condition) {
  conditions.push_back(std::move(condition));
  const Condition& added = conditions.back();
  if (added.numbers.empty()) boundaries.push_back({added.name, added.outside({}), added.traits});
}

int System::add_boundary(const std::string& condition, std::span<const double> numbers) {
  const Condition* found = find_condition(condition);
  if (found == nullptr) throw std::invalid_argument("System: there is no boundary condition '" + condition + "'");
  if (found->numbers.size() != numbers.size()) {
    throw std::invalid_argument("System: the condition '" + condition + "' takes " +
                                std::to_string(found->numbers.size()) + " numbers, not " +
                                std::to_string(numbers.size()));
  }
  if (numbers.empty()) return find_boundary(condition);
  std::size_t i = 0;
  while (find_boundary(condition + "_" + std::to_string(i)) >= 0) ++i;
  boundaries.push_back({condition + "_" + std::to_string(i), found->outside(numbers), found->traits});
  return static_cast<int>(boundaries.size()) - 1;
}

std::vector<symbolic::Expr> weighted_by_energies(const System& system, const std::vector<symbolic::Expr>& added) {
  std::vector<symbolic::Expr> result(added.size(), 0.0);
  for (const System::Energy& energy : system.energies) {
    for (std::size_t f = 0; f < energy.weights.size(); ++f) {
      result[f] = result[f] + 2.0 * energy.weights[f] * added[f];
    }
    for (const auto& [f, g, weight] : energy.couplings) {
      const auto i = static_cast<std::size_t>(f), j = static_cast<std::size_t>(g);
      result[i] = result[i] + weight * added[j];
      result[j] = result[j] + weight * added[i];
    }
  }
  return result;
}

const System::Boundary& condition_at(const Problem& problem, std::size_t boundary_face) {
  return problem.system.boundaries[static_cast<std::size_t>(problem.boundary[boundary_face])];
}

std::ptrdiff_t VaryingParameters::find(std::size_t element) const {
  const auto found = std::ranges::lower_bound(elements, static_cast<std::int32_t>(element));
  return found != elements.end() && *found == static_cast<std::int32_t>(element) ? found - elements.begin() : -1;
}

namespace {

/// Values of an expression of parameters, [parameter][place].
class OfParameters {
 public:
  explicit OfParameters(const symbolic::Expr& expression) : program_({expression}), work_(program_.size()) {}
  double at(const std::vector<std::vector<double>>& parameters, std::size_t place) {
    double value{};
    program_.run([&](const symbolic::Symbol& s) { return parameters[static_cast<std::size_t>(s.index)][place]; }, work_,
                 {&value, 1});
    return value;
  }

 private:
  symbolic::Program program_;
  std::vector<double> work_;
};

}  // namespace

std::vector<double> in_each_element(const Problem& problem, const symbolic::Expr& expression, std::size_t elements) {
  OfParameters value(expression);
  std::vector<double> values(elements);
  for (std::size_t k = 0; k < elements; ++k) values[k] = value.at(problem.parameters, k);
  return values;
}

std::vector<double> largest_in_each_element(const Problem& problem, const symbolic::Expr& expression,
                                            std::size_t elements) {
  std::vector<double> values = in_each_element(problem, expression, elements);
  OfParameters value(expression);
  const VaryingParameters& varying = problem.varying;
  for (std::size_t i = 0; i < varying.elements.size(); ++i) {
    double& largest = values[static_cast<std::size_t>(varying.elements[i])];
    largest = value.at(varying.values, i * varying.points);
    for (std::size_t p = 1; p < varying.points; ++p) {
      largest = std::max(largest, value.at(varying.values, i * varying.points + p));
    }
  }
  return values;
}

}  // namespace maxwell_dg::dg
