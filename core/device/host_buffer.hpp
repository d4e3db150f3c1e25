#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "core/device/buffer.hpp"

namespace maxwell_dg::core {

/// Kinds of memory that the host addresses and a device knows of.
enum class HostMemory {
  page_locked,     ///< transfers from and to it are fast and truly asynchronous
  write_combined,  ///< the same, faster to send and very slow for the host to read; CUDA only
  mapped,          ///< page-locked, and kernels work on it in place (zero-copy); OpenCL: fine-grained shared memory
  managed,         ///< moves between host and device by itself; OpenCL: fine-grained shared memory
};

class HostState;

/// Such memory. The host may use it whenever no stream does: `synchronize` first.
class HostBuffer {
 public:
  HostBuffer() = default;
  explicit HostBuffer(std::shared_ptr<HostState> state) : state_(std::move(state)) {}
  [[nodiscard]] explicit operator bool() const { return state_ != nullptr; }
  [[nodiscard]] std::size_t size_bytes() const { return bytes().size(); }
  [[nodiscard]] std::span<std::byte> bytes() const;  ///< empty when the handle is
  /// The same as values of T; bytes left over at the end are not in it.
  template <class T>
  [[nodiscard]] std::span<T> as() const {
    return {reinterpret_cast<T*>(bytes().data()), size_bytes() / sizeof(T)};
  }
  /// What kernels are given. Throws DeviceError unless the memory is `mapped` or `managed`.
  [[nodiscard]] Buffer device_view() const;
  [[nodiscard]] HostState& state() const;  ///< throws DeviceError when the handle is empty

 private:
  std::shared_ptr<HostState> state_;
};

}  // namespace maxwell_dg::core
