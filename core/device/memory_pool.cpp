#include "core/device/memory_pool.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <new>
#include <vector>

#include "core/device/backend.hpp"

namespace maxwell_dg::core {
namespace {

/// Sizes that the pool deals in: five significant bits, so that at most 1/16 of a block is wasted and sizes that
/// differ a little share a bin.
std::size_t bin_bytes(std::size_t bytes) {
  constexpr std::size_t smallest = 256;
  const std::size_t step = std::max(smallest, std::bit_floor(bytes) / 16);
  return (bytes + step - 1) / step * step;
}

}  // namespace

/// Lives as long as the pool or any block that it handed out.
struct MemoryPool::State {
  explicit State(Device its_device) : device(std::move(its_device)) {}

  const Device device;
  mutable std::mutex mutex;
  std::map<std::size_t, std::vector<std::shared_ptr<BufferState>>> held;  // by block size
  Statistics statistics;

  /// A held block of this size, or null.
  std::shared_ptr<BufferState> take(std::size_t bytes) {
    const std::lock_guard lock(mutex);
    const auto bin = held.find(bytes);
    if (bin == held.end() || bin->second.empty()) return nullptr;
    std::shared_ptr<BufferState> block = std::move(bin->second.back());
    bin->second.pop_back();
    --statistics.held_blocks;
    statistics.held_bytes -= bytes;
    return block;
  }

  void put_back(std::shared_ptr<BufferState> block) noexcept {
    const std::size_t bytes = block->size_bytes();
    const std::lock_guard lock(mutex);
    --statistics.active_blocks;
    statistics.active_bytes -= bytes;
    try {
      held[bytes].push_back(std::move(block));
      ++statistics.held_blocks;
      statistics.held_bytes += bytes;
    } catch (const std::bad_alloc&) {
      // No host memory to remember the block by: it goes back to the driver with this handle.
    }
  }

  void trim() {
    decltype(held) unused;
    const std::lock_guard lock(mutex);
    unused.swap(held);
    statistics.held_blocks = 0;
    statistics.held_bytes = 0;
  }
};

MemoryPool::MemoryPool(Device device) : state_(std::make_shared<State>(std::move(device))) {}

Buffer MemoryPool::allocate(std::size_t bytes) {
  if (bytes == 0) return state_->device.allocate(0);
  const std::size_t rounded = bin_bytes(bytes);
  std::shared_ptr<BufferState> block = state_->take(rounded);
  if (block == nullptr) {
    const auto fresh = [&] { return state_->device.state().allocate(rounded); };
    try {
      block = fresh();
    } catch (const OutOfDeviceMemory&) {
      trim();
      block = fresh();
    }
  }
  {
    const std::lock_guard lock(state_->mutex);
    ++state_->statistics.active_blocks;
    state_->statistics.active_bytes += rounded;
  }
  // The handle's last owner does not release the block but gives it back; it also keeps the pool's state alive.
  BufferState* const raw = block.get();
  return Buffer(
      std::shared_ptr<BufferState>(raw, [state = state_, block = std::move(block)](BufferState*) mutable noexcept {
        state->put_back(std::move(block));
      }));
}

void MemoryPool::trim() {
  state_->trim();
}

MemoryPool::Statistics MemoryPool::statistics() const {
  const std::lock_guard lock(state_->mutex);
  return state_->statistics;
}

}  // namespace maxwell_dg::core
