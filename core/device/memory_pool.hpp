#pragma once

#include <cstddef>
#include <memory>

#include "core/device/device.hpp"

/// Freed memory that is kept for reuse: asking the driver takes a hundred times longer.
namespace maxwell_dg::core {

struct PoolStatistics {
  std::size_t active_bytes{};  ///< handed out, as asked for rounded up to the pool's sizes
  std::size_t held_bytes{};    ///< kept for reuse
  std::size_t active_blocks{};
  std::size_t held_blocks{};
  std::size_t peak_bytes{};  ///< the most that was active and held at once
  std::size_t requests{};
  std::size_t reused{};  ///< requests that needed no call of the driver
};

/// Device memory. Thread-safe. When an allocation on the device fails, by this pool or by anybody through the same
/// Device, everything unused goes back to the driver and the request is tried once more.
class MemoryPool {
 public:
  explicit MemoryPool(const Device& device);

  /// `bytes` bytes for work on one stream; back in the pool when the last Buffer handle dies or on Buffer::release. The
  /// memory may be handed out again while the stream still works on it, but only for later work of the same stream. If
  /// other streams use it, let `stream` wait for them before the handles die.
  [[nodiscard]] Buffer allocate(std::size_t bytes, const Stream& stream);

  /// The same for callers who order all work on the pool's memory themselves, e.g. by a single stream, or who
  /// synchronize before handles die.
  [[nodiscard]] Buffer allocate(std::size_t bytes);

  void trim();          ///< gives every held block back to the driver
  void stop_holding();  ///< trims, and keeps nothing from now on
  [[nodiscard]] PoolStatistics statistics() const;

 private:
  class State;
  std::shared_ptr<State> state_;
};

/// Page-locked host memory. Thread-safe.
class HostMemoryPool {
 public:
  explicit HostMemoryPool(const Device& device);

  /// Memory for transfers on one stream. When its last handle dies the transfers may still be under way: the host gets
  /// the memory again only after the stream has passed them.
  [[nodiscard]] HostBuffer allocate(std::size_t bytes, const Stream& stream);

  void trim();          ///< gives every held block back to the driver; waits for transfers under way
  void stop_holding();  ///< trims, and keeps nothing from now on
  [[nodiscard]] PoolStatistics statistics() const;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace maxwell_dg::core
