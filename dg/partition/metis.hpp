#pragma once

#include <cstdint>
#include <vector>

namespace maxwell_dg::dg {

/// A graph whose vertices are to be divided, with each edge listed at both of its ends.
struct PartitionGraph {
  std::vector<std::int32_t> first;   ///< [vertex] where its edges begin; one number more than there are vertices
  std::vector<std::int32_t> others;  ///< [edge] the vertex at the other end
  std::vector<double> weights;       ///< [vertex] above 0
};

/// Whether this build has METIS (docs/decisions/028-partition.md).
[[nodiscard]] bool has_metis();

/// [vertex] its part, 0 ... parts - 1, by METIS's k-way method: few edges between parts, whose weights differ by about
/// 1 %. The same in every run. A part may stay empty where there are few vertices for each. Throws std::logic_error in
/// a build without METIS, std::runtime_error if METIS fails.
[[nodiscard]] std::vector<int> divide_by_metis(const PartitionGraph& graph, int parts);

}  // namespace maxwell_dg::dg
