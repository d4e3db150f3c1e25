#pragma once

#include <array>
#include <cstddef>

#include "core/device/device.hpp"

/// Device memory that several processes on one host use in place. CUDA has it; elsewhere UnsupportedFeature is thrown.
namespace maxwell_dg::core {

/// What another process needs to open a buffer. Plain bytes: send them by any means.
struct PeerMemory {
  std::array<std::byte, 64> handle{};
  std::size_t offset{};  ///< of the buffer in the driver's allocation
  std::size_t bytes{};
};
/// Makes a buffer known to other processes. It must live as long as anybody has it open. Memory from Device::allocate
/// only.
[[nodiscard]] PeerMemory share(const Buffer& buffer);
/// The buffer of another process; opening one of this process is an error of the driver, as is one on a device that
/// this one does not reach.
[[nodiscard]] Buffer open_shared(const Device& device, const PeerMemory& memory);

}  // namespace maxwell_dg::core
