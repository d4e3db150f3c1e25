#pragma once

#include <array>
#include <cstddef>
#include <string>

/// The entry points of libnccl.so.2, which sends between GPUs of one host and of many. It is loaded at run time: a
/// build needs none of it, and a run on one GPU neither. Its calls are declared here as nccl.h declares them since
/// version 2.7; what differs between later versions is not used.
namespace maxwell_dg::core::cuda {

struct NcclId {
  std::array<char, 128> bytes;
};
using NcclCommunicator = void*;

struct Nccl {
  int (*ncclGetVersion)(int* version);
  int (*ncclGetUniqueId)(NcclId* id);
  int (*ncclCommInitRank)(NcclCommunicator* communicator, int ranks, NcclId id, int rank);
  int (*ncclCommDestroy)(NcclCommunicator communicator);
  int (*ncclCommAbort)(NcclCommunicator communicator);
  int (*ncclSend)(const void* from, std::size_t count, int type, int rank, NcclCommunicator communicator, void* stream);
  int (*ncclRecv)(void* to, std::size_t count, int type, int rank, NcclCommunicator communicator, void* stream);
  int (*ncclGroupStart)();
  int (*ncclGroupEnd)();
  const char* (*ncclGetErrorString)(int code);
};

struct NcclState {
  const Nccl* nccl{};
  std::string absence;  ///< why there is none
};

/// Loaded once per process, never unloaded.
[[nodiscard]] const NcclState& nccl_state();

}  // namespace maxwell_dg::core::cuda
