#include "core/device/buffer.hpp"

#include "core/device/backend.hpp"
#include "core/device/handles.hpp"
#include "core/device/host_buffer.hpp"

namespace maxwell_dg::core {

BufferState& Buffer::state() const {
  return used(state_, "Buffer");
}
std::size_t Buffer::size_bytes() const {
  return state_ == nullptr ? 0 : state_->size_bytes();
}
std::uintptr_t Buffer::raw() const {
  return state_ == nullptr ? 0 : state_->raw();
}

Buffer Buffer::region(std::size_t offset_bytes, std::size_t bytes) const {
  BufferState& whole = state();
  whole.require_memory();
  const std::size_t size = whole.size_bytes();
  if (offset_bytes > size || bytes > size - offset_bytes || bytes == 0) {
    throw DeviceError("Buffer::region: " + std::to_string(bytes) + " bytes at " + std::to_string(offset_bytes) +
                      " are no part of a buffer of " + std::to_string(size) + " bytes");
  }
  return Buffer(whole.region(offset_bytes, bytes, whole.owner()));
}

void Buffer::release() const {
  if (state_ != nullptr) state_->release();
}

HostState& HostBuffer::state() const {
  return used(state_, "HostBuffer");
}
std::span<std::byte> HostBuffer::bytes() const {
  return state_ == nullptr ? std::span<std::byte>{} : state_->bytes();
}
Buffer HostBuffer::device_view() const {
  if (state().view() == nullptr) {
    throw DeviceError(
        "this HostBuffer is for transfers only; ask for HostMemory::mapped or managed to give it to kernels");
  }
  return Buffer(state().view());
}

}  // namespace maxwell_dg::core
