#pragma once

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "core/device/memory_pool.hpp"
#include "core/round_up.hpp"

namespace maxwell_dg::core {

/// Sizes that pools deal in: five significant bits, so that at most 1/16 of a block is wasted and sizes that differ a
/// little share a bin.
[[nodiscard]] inline std::size_t bin_bytes(std::size_t bytes) {
  constexpr std::size_t smallest = 256;
  const std::size_t step = std::max(smallest, std::bit_floor(bytes) / 16);
  return bytes > SIZE_MAX - step ? bytes : round_up(bytes, step);  // too large a request fails later
}

/// Unused blocks by size, and the account of all. Thread-safe.
template <class Block>
class BlockStore {
 public:
  /// Takes the first unused block of `bytes` bytes, newest first, for which `fits(block)`; false when there is none.
  /// The request is then counted, and so is the memory that its caller is to get elsewhere.
  template <class Fits>
  [[nodiscard]] bool take(std::size_t bytes, Block& taken, const Fits& fits) {
    const std::lock_guard lock(mutex_);
    ++statistics_.requests;
    const auto bin = held_.find(bytes);
    if (bin == held_.end()) return false;
    std::vector<Block>& blocks = bin->second;
    for (std::size_t i = blocks.size(); i-- > 0;) {
      if (!fits(blocks[i])) continue;
      taken = std::move(blocks[i]);
      blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(i));
      --statistics_.held_blocks;
      statistics_.held_bytes -= bytes;
      ++statistics_.reused;
      return true;
    }
    return false;
  }

  void note_handed_out(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    ++statistics_.active_blocks;
    statistics_.active_bytes += bytes;
    statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.active_bytes + statistics_.held_bytes);
  }

  /// A block that was handed out is no longer, and not kept either.
  void forget(std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    --statistics_.active_blocks;
    statistics_.active_bytes -= bytes;
  }

  void put_back(std::size_t bytes, Block block) noexcept {
    forget(bytes);
    const std::lock_guard lock(mutex_);
    if (!holding_) return;
    try {
      held_[bytes].push_back(std::move(block));
      ++statistics_.held_blocks;
      statistics_.held_bytes += bytes;
    } catch (const std::bad_alloc&) {
      // No host memory to remember the block by: it goes back to the driver with this handle.
    }
  }

  /// Every unused block; the store has none then.
  [[nodiscard]] std::vector<Block> take_all() {
    const std::lock_guard lock(mutex_);
    std::vector<Block> all;
    for (auto& [bytes, blocks] : held_) std::ranges::move(blocks, std::back_inserter(all));
    held_.clear();
    statistics_.held_blocks = 0;
    statistics_.held_bytes = 0;
    return all;
  }

  /// From now on blocks that come back are not kept.
  void stop_holding() {
    const std::lock_guard lock(mutex_);
    holding_ = false;
  }

  [[nodiscard]] PoolStatistics statistics() const {
    const std::lock_guard lock(mutex_);
    return statistics_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::size_t, std::vector<Block>> held_;
  PoolStatistics statistics_;
  bool holding_{true};
};

}  // namespace maxwell_dg::core
