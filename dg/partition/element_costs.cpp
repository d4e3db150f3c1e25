#include "dg/partition/element_costs.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace maxwell_dg::dg {

namespace {

/// Over the time of a straight element without terms, at order 4 in single precision.
struct Costs {
  double curved;     ///< a curved element
  double auxiliary;  ///< each auxiliary variable: in a PML an element has 6 (a slab) or 12 (edges and corners)
};
constexpr Costs on_gpus{.curved = 2.35, .auxiliary = 0.1};  // a slab 1.48, an edge and a corner 2.25
constexpr Costs on_cpus{.curved = 3.1, .auxiliary = 0.07};  // 1.35, and 1.94 and 1.75

}  // namespace

double curved_cost(bool is_cpu) {
  return (is_cpu ? on_cpus : on_gpus).curved;
}

double auxiliary_cost(bool is_cpu) {
  return (is_cpu ? on_cpus : on_gpus).auxiliary;
}

std::vector<double> element_costs(const Discretization& discretization, const Problem& problem, bool is_cpu) {
  const Costs& costs = is_cpu ? on_cpus : on_gpus;
  std::vector<double> result(discretization.K(), 1.0);
  for (const ElementTerm& term : problem.element_terms) {
    for (const std::int32_t k : term.elements) {
      result[index(k)] += costs.auxiliary * static_cast<double>(term.auxiliary.size());
    }
  }
  for (std::size_t k = 0; k < result.size(); ++k) {
    if (discretization.mesh.curved.is_curved(k)) result[k] *= costs.curved;
    result[k] = std::ldexp(result[k], discretization.ranges[discretization.ranges.of(k)].rate);
  }
  return result;
}

}  // namespace maxwell_dg::dg
