#include "core/device/peer_memory.hpp"

#include "core/device/backend.hpp"

namespace maxwell_dg::core {

namespace {

UnsupportedFeature no_peer_memory() {
  return lacks(Backend::opencl, "memory shared by processes", "open a CUDA device for it");
}

}  // namespace

PeerMemory BufferState::share() {
  throw no_peer_memory();
}

std::shared_ptr<BufferState> DeviceState::open_shared(const PeerMemory& /*memory*/) {
  throw no_peer_memory();
}

PeerMemory share(const Buffer& buffer) {
  return buffer.state().share();
}

Buffer open_shared(const Device& device, const PeerMemory& memory) {
  return Buffer(device.state().open_shared(memory));
}

}  // namespace maxwell_dg::core
