#pragma once

#include "core/mpi/communicator.hpp"
#include "dg/partition/partition.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// The best partition of a mesh among ranks, by what a stage of the problem costs in each element (element_costs). All
/// take that of the first rank, whatever libraries theirs has. Throws as `partition` does. Collective.
[[nodiscard]] Partition shared_partition(const Discretization& discretization, const Problem& problem, bool is_cpu,
                                         const core::Communicator& ranks);

}  // namespace maxwell_dg::dg
