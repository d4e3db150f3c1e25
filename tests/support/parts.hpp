#pragma once

#include <cstddef>
#include <vector>

#include "dg/mesh/discretization.hpp"

/// What tests of parts of a mesh need.
namespace maxwell_dg::dg::testing {

/// [element] A random rank for each place: parts that are not connected. The last rank has one place alone.
[[nodiscard]] std::vector<int> random_ranks(const Discretization& whole, int ranks, unsigned seed = 5);

/// The state of a part: of own elements that of the whole, of ghosts the traces that the part receives; all else is
/// NaN.
[[nodiscard]] std::vector<double> state_of_part(const Discretization& part, std::size_t fields,
                                                const std::vector<double>& whole);

}  // namespace maxwell_dg::dg::testing
