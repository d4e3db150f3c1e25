#include "core/device/memory_pool.hpp"

#include <unordered_map>

#include "core/device/backend.hpp"
#include "core/device/block_store.hpp"

namespace maxwell_dg::core {
namespace {

/// One stream as the pool knows it. When the pool's is the last reference, no new work can come.
struct StreamSlot {
  std::shared_ptr<StreamState> stream;
  [[nodiscard]] bool is_abandoned() const { return stream.use_count() == 1; }
};

/// A block with the stream whose work on it may not be done; null means that the callers see to it.
struct DeviceBlock {
  std::shared_ptr<BufferState> memory;
  std::shared_ptr<StreamSlot> slot;
};

/// A block that the host may use when the event is done.
struct HostBlock {
  std::shared_ptr<HostState> memory;
  std::shared_ptr<EventState> last_use;
};

}  // namespace

/// Lives as long as the pool or any block that it handed out.
class MemoryPool::State final : public MemoryHolder, public std::enable_shared_from_this<MemoryPool::State> {
 public:
  explicit State(Device its_device) : device_(std::move(its_device)) {}

  void give_back() override { trim(); }
  [[nodiscard]] BlockStore<DeviceBlock>& store() { return store_; }

  void trim() { store_.take_all().clear(); }

  [[nodiscard]] Buffer allocate(std::size_t bytes, const std::shared_ptr<StreamState>& stream) {
    if (bytes == 0) return device_.allocate(0);
    const std::size_t rounded = bin_bytes(bytes);
    const std::shared_ptr<StreamSlot> slot = slot_of(stream);
    DeviceBlock block;
    if (!store_.take(rounded, block, [&](const DeviceBlock& held) { return may_reuse(held, slot); })) {
      block.memory = device_.state().allocate_or_reclaim(rounded);
    } else if (block.slot != slot) {
      stream->wait(*block.slot->stream->record(EventKind::order));
    }
    block.slot = slot;
    store_.note_handed_out(rounded);
    BufferState& memory = *block.memory;
    return Buffer(memory.region(0, bytes, std::make_shared<Lease>(shared_from_this(), std::move(block))));
  }

 private:
  /// What the handles of a block share: gives it back to the pool, which it keeps alive.
  struct Lease {
    Lease(std::shared_ptr<State> its_pool, DeviceBlock its_block)
        : pool(std::move(its_pool)), block(std::move(its_block)) {}
    ~Lease() {
      const std::size_t bytes = block.memory->size_bytes();
      pool->store_.put_back(bytes, std::move(block));
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    std::shared_ptr<State> pool;
    DeviceBlock block;
  };

  /// A stream gets back its own blocks, whose earlier work comes before its later work, and those of streams that are
  /// gone, for which it waits. Waiting for a stream in use would tie the two together unasked.
  static bool may_reuse(const DeviceBlock& held, const std::shared_ptr<StreamSlot>& slot) {
    return held.slot == slot || (slot != nullptr && held.slot != nullptr && held.slot->is_abandoned());
  }

  std::shared_ptr<StreamSlot> slot_of(const std::shared_ptr<StreamState>& stream) {
    if (stream == nullptr) return nullptr;
    const std::lock_guard lock(slots_mutex_);
    std::shared_ptr<StreamSlot>& slot = slots_[stream.get()];
    if (slot == nullptr) {
      std::erase_if(slots_, [](const auto& entry) {
        return entry.second != nullptr && entry.second.use_count() == 1 && entry.second->is_abandoned();
      });
      return slots_[stream.get()] = std::make_shared<StreamSlot>(StreamSlot{stream});
    }
    return slot;
  }

  const Device device_;
  BlockStore<DeviceBlock> store_;
  std::mutex slots_mutex_;
  std::unordered_map<const StreamState*, std::shared_ptr<StreamSlot>> slots_;
};

MemoryPool::MemoryPool(const Device& device) : state_(std::make_shared<State>(device)) {
  device.state().add_holder(state_);
}
Buffer MemoryPool::allocate(std::size_t bytes, const Stream& stream) {
  return state_->allocate(bytes, stream.shared_state());
}
Buffer MemoryPool::allocate(std::size_t bytes) {
  return state_->allocate(bytes, nullptr);
}
void MemoryPool::trim() {
  state_->trim();
}
void MemoryPool::stop_holding() {
  state_->store().stop_holding();
  state_->trim();
}
PoolStatistics MemoryPool::statistics() const {
  return state_->store().statistics();
}

class HostMemoryPool::State final : public MemoryHolder, public std::enable_shared_from_this<HostMemoryPool::State> {
 public:
  explicit State(Device its_device) : device_(std::move(its_device)) {}

  ~State() override {
    try {
      trim();
    } catch (const std::exception&) {
      // The context is lost or the program ends: no transfer is under way any more.
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void give_back() override { trim(); }
  void trim() {
    const std::vector<HostBlock> unused = store_.take_all();
    for (const HostBlock& block : unused) block.last_use->synchronize();
  }
  [[nodiscard]] BlockStore<HostBlock>& store() { return store_; }

  [[nodiscard]] HostBuffer allocate(std::size_t bytes, const std::shared_ptr<StreamState>& stream) {
    if (bytes == 0) return device_.allocate_host(0);
    const std::size_t rounded = bin_bytes(bytes);
    HostBlock block;
    if (!store_.take(rounded, block, [](const HostBlock& held) { return held.last_use->is_done(); })) {
      block.memory = fresh(rounded);
    }
    store_.note_handed_out(rounded);
    const std::span<std::byte> memory = block.memory->bytes().first(bytes);
    auto lease = std::make_shared<Lease>(shared_from_this(), stream, std::move(block));
    return HostBuffer(std::make_shared<HostState>(memory, nullptr, std::move(lease)));
  }

 private:
  struct Lease {
    Lease(std::shared_ptr<State> its_pool, std::shared_ptr<StreamState> its_stream, HostBlock its_block)
        : pool(std::move(its_pool)), stream(std::move(its_stream)), block(std::move(its_block)) {}
    ~Lease() {
      const std::size_t bytes = block.memory->bytes().size();
      try {
        block.last_use = stream->record(EventKind::order);
        pool->store_.put_back(bytes, std::move(block));
      } catch (const std::exception&) {
        // The stream takes no more work, because its context is lost or the program ends: nobody can use the block
        // again, and it goes back to the driver.
        pool->store_.forget(bytes);
      }
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    std::shared_ptr<State> pool;
    std::shared_ptr<StreamState> stream;
    HostBlock block;
  };

  std::shared_ptr<HostState> fresh(std::size_t bytes) {
    try {
      return device_.state().allocate_host(bytes, HostMemory::page_locked);
    } catch (const OutOfDeviceMemory&) {
      device_.state().reclaim();
      return device_.state().allocate_host(bytes, HostMemory::page_locked);
    }
  }

  const Device device_;
  BlockStore<HostBlock> store_;
};

HostMemoryPool::HostMemoryPool(const Device& device) : state_(std::make_shared<State>(device)) {
  device.state().add_holder(state_);
}
HostBuffer HostMemoryPool::allocate(std::size_t bytes, const Stream& stream) {
  return state_->allocate(bytes, stream.shared_state());
}
void HostMemoryPool::trim() {
  state_->trim();
}
void HostMemoryPool::stop_holding() {
  state_->store().stop_holding();
  state_->trim();
}
PoolStatistics HostMemoryPool::statistics() const {
  return state_->store().statistics();
}

}  // namespace maxwell_dg::core
