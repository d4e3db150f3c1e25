#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace maxwell_dg::core {

class BufferState;

/// Memory on a device. An empty Buffer holds nothing.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::shared_ptr<BufferState> state) : state_(std::move(state)) {}
  [[nodiscard]] std::size_t size_bytes() const;
  [[nodiscard]] explicit operator bool() const { return state_ != nullptr; }
  [[nodiscard]] std::uintptr_t raw() const;  ///< CUdeviceptr or cl_mem

  /// A part of the memory as a Buffer of its own, which keeps the whole alive. OpenCL demands that `offset_bytes` is a
  /// multiple of the device's alignment (often 128 bytes) and throws DeviceError naming it; CUDA takes any offset.
  [[nodiscard]] Buffer region(std::size_t offset_bytes, std::size_t bytes) const;

  /// Gives the memory back now and not with the last handle; regions keep it. Every handle to this Buffer is then
  /// useless, and says so by DeviceError. Work that uses the memory must be done, as for any other release.
  void release() const;

  [[nodiscard]] BufferState& state() const;  ///< throws DeviceError when the handle is empty

 private:
  std::shared_ptr<BufferState> state_;
};

}  // namespace maxwell_dg::core
