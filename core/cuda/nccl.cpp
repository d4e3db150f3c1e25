#include "core/cuda/nccl.hpp"

#include <memory>
#include <type_traits>

#include <dlfcn.h>

namespace maxwell_dg::core::cuda {
namespace {

constexpr int oldest = 2700;  // the first version that sends and receives

NcclState load_nccl() {
  void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {nullptr, "libnccl.so.2 is not on the library path; install NCCL"};
  auto table = std::make_unique<Nccl>();
  std::string missing;
  const auto find = [&](auto& entry, const char* symbol) {
    void* address = dlsym(library, symbol);
    if (address == nullptr) missing += std::string(missing.empty() ? "" : ", ") + symbol;
    entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(address);
  };
  find(table->ncclGetVersion, "ncclGetVersion");
  find(table->ncclGetUniqueId, "ncclGetUniqueId");
  find(table->ncclCommInitRank, "ncclCommInitRank");
  find(table->ncclCommDestroy, "ncclCommDestroy");
  find(table->ncclCommAbort, "ncclCommAbort");
  find(table->ncclSend, "ncclSend");
  find(table->ncclRecv, "ncclRecv");
  find(table->ncclGroupStart, "ncclGroupStart");
  find(table->ncclGroupEnd, "ncclGroupEnd");
  find(table->ncclGetErrorString, "ncclGetErrorString");
  int version = 0;
  if (!missing.empty()) {
    missing = "it lacks " + missing;
  } else if (table->ncclGetVersion(&version) != 0 || version < oldest) {
    missing = "it is older than version 2.7";
  }
  if (missing.empty()) return {table.release(), {}};
  dlclose(library);
  return {nullptr, "libnccl.so.2 cannot be used: " + missing};
}

}  // namespace

const NcclState& nccl_state() {
  static const NcclState* const state = new NcclState(load_nccl());  // as the driver: kept to the end
  return *state;
}

}  // namespace maxwell_dg::core::cuda
