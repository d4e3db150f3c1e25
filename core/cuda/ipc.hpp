#pragma once

#include <array>
#include <cstddef>

#include "core/device/device.hpp"

/// Events that several processes on one machine share, beside the memory that they share (core/device/peer_memory.hpp).
/// The struct is plain bytes: send it by any means.
namespace maxwell_dg::core::cuda {

struct SharedEvent {
  std::array<std::byte, 64> handle{};
};
/// Marks `stream` with an event that other processes can wait for; it does not time.
[[nodiscard]] Event record_shareable(const Stream& stream);
[[nodiscard]] SharedEvent share(const Event& event);
[[nodiscard]] Event open_shared(const Device& device, const SharedEvent& event);

}  // namespace maxwell_dg::core::cuda
