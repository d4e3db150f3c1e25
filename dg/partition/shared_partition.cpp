#include "dg/partition/shared_partition.hpp"

#include <span>
#include <type_traits>
#include <vector>

#include "dg/partition/element_costs.hpp"

namespace maxwell_dg::dg {

Partition shared_partition(const Discretization& d, const Problem& problem, bool is_cpu,
                           const core::Communicator& ranks) {
  static_assert(std::is_trivially_copyable_v<PartitionQuality>);
  const std::vector<double> costs = element_costs(d, problem, is_cpu);
  check_partition(d, ranks.size(), PartitionMethod::best, costs);  // what all of them throw
  Partition result;
  if (ranks.is_first()) result = partition(d, ranks.size(), PartitionMethod::best, costs);
  const auto of_first = [&]<class T>(std::span<const T> mine) {
    return core::values_of<T>(ranks.broadcast(std::as_bytes(mine)));
  };
  result.rank_of_element = of_first(std::span<const int>(result.rank_of_element));
  result.method = of_first(std::span<const PartitionMethod>(&result.method, 1)).front();
  result.quality = of_first(std::span<const PartitionQuality>(&result.quality, 1)).front();
  return result;
}

}  // namespace maxwell_dg::dg
