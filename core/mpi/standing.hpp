#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/mpi/communicator.hpp"

namespace maxwell_dg::core {

/// Where numbers stand among those of all ranks, in ascending order. Each number is one rank's, and most of a rank's
/// follow each other: what ranks exchange are runs of them.
struct Standing {
  std::vector<std::size_t> at;  ///< [number of this rank]
  std::size_t count{};          ///< of all ranks
};
/// Collective.
[[nodiscard]] Standing standing_of(const Communicator& ranks, const std::vector<std::int32_t>& numbers);

}  // namespace maxwell_dg::core
