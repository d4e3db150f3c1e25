#include "dg/partition/shared_partition.hpp"

#include <span>

#include "dg/partition/element_costs.hpp"

namespace maxwell_dg::dg {

Partition shared_partition(const Discretization& d, const Problem& problem, bool is_cpu,
                           const core::Communicator& ranks) {
  Partition result = partition(d, ranks.size(), PartitionMethod::best, element_costs(d, problem, is_cpu));
  result.rank_of_element = core::values_of<int>(ranks.broadcast(std::as_bytes(std::span(result.rank_of_element))));
  return result;
}

}  // namespace maxwell_dg::dg
