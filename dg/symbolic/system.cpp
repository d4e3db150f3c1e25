#include "dg/symbolic/system.hpp"

#include <span>

#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

int System::find_boundary(const std::string& boundary) const {
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    if (boundaries[i].name == boundary) return static_cast<int>(i);
  }
  return -1;
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
