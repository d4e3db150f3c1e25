#pragma once

#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// [element] The time of a stage of an element over that of a straight one without terms, as a device of a kind takes
/// it: by its shape, the auxiliary variables that terms add in it, and its rate. Estimates from docs/performance.md
/// ("What a curved element costs", "What an element of a PML costs"), to divide a mesh by.
[[nodiscard]] std::vector<double> element_costs(const Discretization& discretization, const Problem& problem,
                                                bool is_cpu);

/// The same of a curved element without terms.
[[nodiscard]] double curved_cost(bool is_cpu);
/// What an auxiliary variable adds to that of an element.
[[nodiscard]] double auxiliary_cost(bool is_cpu);

}  // namespace maxwell_dg::dg
