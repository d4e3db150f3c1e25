#pragma once

#include <array>
#include <cstddef>

#include "core/device/device.hpp"

/// Device memory and events that several processes on one machine share. The structs are plain bytes: send them by any
/// means.
namespace maxwell_dg::core::cuda {

struct SharedMemory {
  std::array<std::byte, 64> handle{};
  std::size_t offset{};  ///< of the buffer in the driver's allocation
  std::size_t bytes{};
};
/// What another process needs to open the buffer, which must live as long as anybody has it open. Memory from
/// Device::allocate only.
[[nodiscard]] SharedMemory share(const Buffer& buffer);
/// The buffer of another process; opening one of this process is an error of the driver.
[[nodiscard]] Buffer open_shared(const Device& device, const SharedMemory& memory);

struct SharedEvent {
  std::array<std::byte, 64> handle{};
};
/// Marks `stream` with an event that other processes can wait for; it does not time.
[[nodiscard]] Event record_shareable(const Stream& stream);
[[nodiscard]] SharedEvent share(const Event& event);
[[nodiscard]] Event open_shared(const Device& device, const SharedEvent& event);

}  // namespace maxwell_dg::core::cuda
