#include "core/cuda/peer.hpp"

#include "core/cuda/of_cuda.hpp"

namespace maxwell_dg::core::cuda {
namespace {

constexpr const char* kPeers = "access from one device to another's memory";

void check_range(const Buffer& buffer, std::size_t offset, std::size_t bytes) {
  if (offset <= buffer.size_bytes() && bytes <= buffer.size_bytes() - offset) return;
  throw DeviceError("copy_between_devices: " + std::to_string(bytes) + " bytes at " + std::to_string(offset) +
                    " do not lie in a buffer of " + std::to_string(buffer.size_bytes()) + " bytes");
}

}  // namespace

bool can_access_peer(const Device& from, const Device& to) {
  int can = 0;
  check(driver().cuDeviceCanAccessPeer(&can, cuda_device(from, kPeers)->context().device(),
                                       cuda_device(to, kPeers)->context().device()),
        "cuDeviceCanAccessPeer");
  return can != 0;
}

void enable_peer_access(const Device& from, const Device& to) {
  const auto user = cuda_device(from, kPeers);
  const auto owner = cuda_device(to, kPeers);
  const Current current(*user);
  const CUresult code = driver().cuCtxEnablePeerAccess(owner->context().get(), 0);
  if (code == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) return;
  check(code, "cuCtxEnablePeerAccess", "from '" + user->info().name + "' to '" + owner->info().name + "'");
}

void copy_between_devices(const Stream& stream, const Buffer& from, std::size_t from_offset, const Buffer& to,
                          std::size_t to_offset, std::size_t bytes) {
  CudaStream& queue = cuda_stream(stream, kPeers);
  check_range(from, from_offset, bytes);
  check_range(to, to_offset, bytes);
  if (bytes == 0) return;
  const CudaBuffer& source = cuda_buffer(from, kPeers);
  const CudaBuffer& target = cuda_buffer(to, kPeers);
  const Current current(*queue.device());
  check(driver().cuMemcpyPeerAsync(target.get() + to_offset, target.device()->context().get(),
                                   source.get() + from_offset, source.device()->context().get(), bytes, queue.get()),
        "cuMemcpyPeerAsync");
}

}  // namespace maxwell_dg::core::cuda
