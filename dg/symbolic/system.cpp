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

const System::Boundary& condition_at(const Problem& problem, std::size_t boundary_face) {
  return problem.system.boundaries[static_cast<std::size_t>(problem.boundary[boundary_face])];
}

std::vector<double> in_each_element(const Problem& problem, const symbolic::Expr& expression, std::size_t elements) {
  const symbolic::Program program({expression});
  std::vector<double> work(program.size()), values(elements);
  for (std::size_t k = 0; k < elements; ++k) {
    program.run([&](const symbolic::Symbol& s) { return problem.parameters[static_cast<std::size_t>(s.index)][k]; },
                work, std::span(&values[k], 1));
  }
  return values;
}

}  // namespace maxwell_dg::dg
