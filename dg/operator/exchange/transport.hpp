#pragma once

#include <string_view>

namespace maxwell_dg::dg {

/// How traces get from one rank's device to another's.
enum class Transport {
  peer_memory,  ///< kernels write them into the memory of other GPUs of this host, and wait for those that they need
  nccl,         ///< NCCL sends and receives them in the order of the stream
  host          ///< MPI sends and receives them in the host's memory
};
[[nodiscard]] std::string_view name_of(Transport transport);  // "peer memory", "NCCL", "MPI"

}  // namespace maxwell_dg::dg
