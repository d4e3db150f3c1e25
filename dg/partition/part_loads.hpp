#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// What one part of a divided mesh has to do. Of complex fields both copies of an element count.
struct PartLoad {
  std::size_t elements{};     ///< that it computes
  std::size_t ghosts{};       ///< elements of others whose traces it reads
  std::size_t faces_cut{};    ///< faces of its elements that it shares with elements of others
  std::size_t neighbours{};   ///< other parts that it exchanges traces with
  std::size_t traces_sent{};  ///< faces of its elements whose traces others read, once for each of these
  double cost{};              ///< the sum of its elements' costs over the mean of all parts
};

/// [part] of a problem on a mesh. `rank_of_element`: [element] its part; `costs`: [element] as element_costs has them;
/// empty: all cost the same.
[[nodiscard]] std::vector<PartLoad> part_loads(const Discretization& discretization, const Problem& problem,
                                               std::span<const int> rank_of_element, int parts,
                                               std::span<const double> costs = {});

}  // namespace maxwell_dg::dg
