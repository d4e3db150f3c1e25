#pragma once

#include "core/mpi/communicator.hpp"
#include "dg/partition/partition.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// The best partition of a mesh among ranks, by what a stage of the problem costs in each element (element_costs). The
/// first rank makes it for all, whatever libraries theirs have: on one host they would take each other's time. Throws
/// as `partition` does. Collective.
[[nodiscard]] Partition shared_partition(const Discretization& discretization, const Problem& problem, bool is_cpu,
                                         const core::Communicator& ranks);

}  // namespace maxwell_dg::dg
