#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/device/device.hpp"
#include "core/mpi/communicator.hpp"

namespace maxwell_dg::core {

/// Messages between the devices of several ranks, in the order of a stream: no host waits for them.
class DeviceMessages {
 public:
  DeviceMessages() = default;
  virtual ~DeviceMessages() = default;
  DeviceMessages(const DeviceMessages&) = delete;
  DeviceMessages& operator=(const DeviceMessages&) = delete;

  /// A part of a buffer that is sent to a rank, or comes from it.
  struct Piece {
    int rank{};
    std::size_t offset{}, bytes{};
  };
  /// Sends pieces of one buffer and receives those of another one, all at the same time. Sizes must agree with those
  /// that the other ranks give. Asynchronous; can be recorded.
  virtual void exchange(const Stream& stream, const Buffer& sent, std::span<const Piece> pieces_sent,
                        const Buffer& received, std::span<const Piece> pieces_received) = 0;
};

/// Messages between the ranks' devices. Throws DeviceError where this device, this machine or this build has none; then
/// all ranks do. Collective.
[[nodiscard]] std::unique_ptr<DeviceMessages> make_device_messages(const Device& device, const Communicator& ranks);

}  // namespace maxwell_dg::core
