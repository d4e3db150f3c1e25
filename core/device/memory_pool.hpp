#pragma once

#include <cstddef>
#include <memory>

#include "core/device/device.hpp"

namespace maxwell_dg::core {

/// Keeps freed device memory for reuse by requests of about the same size. Thread-safe.
/// On allocation failure everything unused goes back to the driver and the request is tried once more.
class MemoryPool {
 public:
  struct Statistics {
    std::size_t active_bytes{};  ///< handed out
    std::size_t held_bytes{};    ///< kept for reuse
    std::size_t active_blocks{};
    std::size_t held_blocks{};
  };

  explicit MemoryPool(Device device);
  /// At least `bytes`; returned to the pool when the last Buffer handle dies.
  [[nodiscard]] Buffer allocate(std::size_t bytes);
  void trim();  ///< gives every held block back to the driver
  [[nodiscard]] Statistics statistics() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace maxwell_dg::core
