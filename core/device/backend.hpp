#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/device/device.hpp"
#include "core/device/device_messages.hpp"
#include "core/device/peer_memory.hpp"
#include "core/error.hpp"

/// What a backend implements: one state class behind each handle of device.hpp. Private to core.
///
/// States own what they need: a buffer, stream or module keeps its device's state alive, a kernel its module's.
/// So owners may die in any order. Destructors release and never throw.
namespace maxwell_dg::core {

/// Device memory alive through one DeviceState.
class MemoryAccount {
 public:
  void add(std::size_t bytes) noexcept {
    const std::size_t now = current_.fetch_add(bytes) + bytes;
    std::size_t peak = peak_.load();
    while (peak < now && !peak_.compare_exchange_weak(peak, now)) {
    }
  }
  void remove(std::size_t bytes) noexcept { current_.fetch_sub(bytes); }
  [[nodiscard]] std::size_t current() const noexcept { return current_.load(); }
  [[nodiscard]] std::size_t peak() const noexcept { return peak_.load(); }

 private:
  std::atomic<std::size_t> current_{0};
  std::atomic<std::size_t> peak_{0};
};

/// A piece of memory. `owner` is what keeps it: the last BufferState that shares it gives the memory back.
class BufferState {
 public:
  BufferState(std::size_t bytes, std::shared_ptr<void> owner) : size_bytes_(bytes), owner_(std::move(owner)) {}
  virtual ~BufferState() = default;
  BufferState(const BufferState&) = delete;
  BufferState& operator=(const BufferState&) = delete;
  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }
  [[nodiscard]] const std::shared_ptr<void>& owner() const { return owner_; }
  [[nodiscard]] virtual std::uintptr_t raw() const = 0;
  /// A part, which lies within the buffer and is not empty, kept by `owner`.
  [[nodiscard]] virtual std::shared_ptr<BufferState> region(std::size_t offset, std::size_t bytes,
                                                            std::shared_ptr<void> owner) = 0;
  [[nodiscard]] virtual PeerMemory share();  ///< throws UnsupportedFeature where a backend has no such thing
  void release() noexcept {
    released_ = true;
    owner_.reset();
  }
  /// Throws DeviceError when the memory was released early.
  void require_memory() const {
    if (released_) throw DeviceError("a Buffer was used after its memory was given back by Buffer::release");
  }

 private:
  std::size_t size_bytes_;
  std::shared_ptr<void> owner_;
  bool released_{};
};

/// Host memory; `view` is null unless kernels may work on it.
class HostState {
 public:
  HostState(std::span<std::byte> bytes, std::shared_ptr<BufferState> view, std::shared_ptr<void> owner)
      : bytes_(bytes), view_(std::move(view)), owner_(std::move(owner)) {}
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  [[nodiscard]] const std::shared_ptr<BufferState>& view() const { return view_; }
  [[nodiscard]] const std::shared_ptr<void>& owner() const { return owner_; }

 private:
  std::span<std::byte> bytes_;
  std::shared_ptr<BufferState> view_;
  std::shared_ptr<void> owner_;
};

class EventState {
 public:
  explicit EventState(EventKind kind) : kind_(kind) {}
  virtual ~EventState() = default;
  EventState(const EventState&) = delete;
  EventState& operator=(const EventState&) = delete;
  virtual void synchronize() = 0;
  [[nodiscard]] virtual bool is_done() = 0;
  [[nodiscard]] virtual double seconds_since(EventState& begin) = 0;
  [[nodiscard]] virtual std::uintptr_t raw() const = 0;
  [[nodiscard]] EventKind kind() const { return kind_; }

 private:
  EventKind kind_;
};

/// Work of a stream that can be enqueued again.
class RecordingState {
 public:
  RecordingState() = default;
  virtual ~RecordingState() = default;
  RecordingState(const RecordingState&) = delete;
  RecordingState& operator=(const RecordingState&) = delete;
  virtual void replay(const Stream& stream) = 0;
};

/// Offsets and sizes have been checked against the buffers, and are not empty, when a state sees them; pitches are
/// filled in.
class StreamState {
 public:
  StreamState() = default;
  virtual ~StreamState() = default;
  StreamState(const StreamState&) = delete;
  StreamState& operator=(const StreamState&) = delete;
  virtual void synchronize() = 0;
  [[nodiscard]] virtual std::shared_ptr<EventState> record(EventKind kind) = 0;
  virtual void wait(EventState& event) = 0;
  virtual void write(BufferState& to, std::size_t offset, std::span<const std::byte> from) = 0;
  virtual void read(BufferState& from, std::size_t offset, std::span<std::byte> to) = 0;
  virtual void copy(BufferState& from, std::size_t from_offset, BufferState& to, std::size_t to_offset,
                    std::size_t bytes) = 0;
  virtual void write_box(BufferState& to, const BoxLayout& to_layout, const std::byte* from,
                         const BoxLayout& from_layout, const BoxExtent& extent) = 0;
  virtual void read_box(BufferState& from, const BoxLayout& from_layout, std::byte* to, const BoxLayout& to_layout,
                        const BoxExtent& extent) = 0;
  virtual void copy_box(BufferState& from, const BoxLayout& from_layout, BufferState& to, const BoxLayout& to_layout,
                        const BoxExtent& extent) = 0;
  virtual void fill(BufferState& buffer, std::size_t offset, std::size_t bytes, std::span<const std::byte> pattern) = 0;
  /// Fills the first row and copies what is there behind itself, doubling it each time.
  virtual void fill_box(BufferState& buffer, const BoxLayout& layout, const BoxExtent& extent,
                        std::span<const std::byte> pattern);
  virtual void call_on_host(std::function<void()> function) = 0;
  [[nodiscard]] virtual bool can_record() const = 0;
  /// `self` is the handle of this state. Throws UnsupportedFeature where `can_record` is false.
  [[nodiscard]] virtual std::shared_ptr<RecordingState> capture(const Stream& self,
                                                                const std::function<void()>& work) = 0;
  [[nodiscard]] virtual std::uintptr_t raw() const = 0;
};

/// What a launch of one kernel must keep to.
struct LaunchLimits {
  std::size_t group_items{};                ///< product over the dimensions
  std::array<std::size_t, 3> group_size{};  ///< in each dimension
  std::array<std::size_t, 3> groups{};      ///< in each dimension
};

/// A launch whose shape and arguments are checked and packed.
class PreparedState {
 public:
  PreparedState() = default;
  virtual ~PreparedState() = default;
  PreparedState(const PreparedState&) = delete;
  PreparedState& operator=(const PreparedState&) = delete;
  virtual void set(std::size_t index, const KernelArgument& argument) = 0;
  virtual void launch(StreamState& stream) = 0;
};

class KernelState;

/// Throws DeviceError naming the kernel when the shape is more than it, or the device, allows.
void check_shape(const KernelState& kernel, const LaunchShape& shape);

/// For PreparedState::set.
[[nodiscard]] DeviceError wrong_index(const std::string& kernel, std::size_t index, std::size_t count);

class KernelState : public std::enable_shared_from_this<KernelState> {
 public:
  explicit KernelState(std::string name) : name_(std::move(name)) {}
  virtual ~KernelState() = default;
  KernelState(const KernelState&) = delete;
  KernelState& operator=(const KernelState&) = delete;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] virtual KernelAttributes attributes() = 0;
  [[nodiscard]] virtual std::size_t suggested_group_size(std::size_t dynamic_shared_bytes) = 0;
  [[nodiscard]] virtual const LaunchLimits& limits() const = 0;
  virtual void launch(StreamState& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) = 0;
  [[nodiscard]] virtual std::unique_ptr<PreparedState> prepare(const LaunchShape& shape,
                                                               std::span<const KernelArgument> arguments) = 0;
  [[nodiscard]] virtual std::uintptr_t raw() const = 0;

 private:
  std::string name_;
};

class ModuleState {
 public:
  ModuleState() = default;
  virtual ~ModuleState() = default;
  ModuleState(const ModuleState&) = delete;
  ModuleState& operator=(const ModuleState&) = delete;
  [[nodiscard]] virtual std::shared_ptr<KernelState> kernel(const std::string& name) = 0;
  [[nodiscard]] virtual std::shared_ptr<BufferState> global(const std::string& name) = 0;
  [[nodiscard]] virtual std::uintptr_t raw() const = 0;
};

/// Something that keeps memory which nobody uses, e.g. a pool.
class MemoryHolder {
 public:
  MemoryHolder() = default;
  virtual ~MemoryHolder() = default;
  MemoryHolder(const MemoryHolder&) = delete;
  MemoryHolder& operator=(const MemoryHolder&) = delete;
  virtual void give_back() = 0;
};

class DeviceState : public std::enable_shared_from_this<DeviceState> {
 public:
  explicit DeviceState(DeviceInfo info) : info_(std::move(info)) {}
  virtual ~DeviceState() = default;
  DeviceState(const DeviceState&) = delete;
  DeviceState& operator=(const DeviceState&) = delete;

  [[nodiscard]] const DeviceInfo& info() const { return info_; }
  [[nodiscard]] MemoryAccount& memory() { return memory_; }

  [[nodiscard]] virtual std::vector<DeviceAttribute> attributes() = 0;
  [[nodiscard]] virtual std::shared_ptr<StreamState> create_stream(const StreamOptions& options) = 0;
  /// `bytes` may be 0: a buffer without memory.
  [[nodiscard]] virtual std::shared_ptr<BufferState> allocate(std::size_t bytes) = 0;
  /// Throws UnsupportedFeature where a backend has no such thing.
  [[nodiscard]] virtual std::shared_ptr<BufferState> open_shared(const PeerMemory& memory);
  /// Bytes between rows of a box that is read best.
  [[nodiscard]] virtual std::size_t best_row_pitch(std::size_t row_bytes) = 0;
  [[nodiscard]] virtual std::shared_ptr<HostState> allocate_host(std::size_t bytes, HostMemory kind) = 0;
  [[nodiscard]] virtual std::shared_ptr<HostState> register_host(std::span<std::byte> memory) = 0;
  [[nodiscard]] virtual std::shared_ptr<BufferState> wrap_buffer(std::uintptr_t raw, std::size_t bytes,
                                                                 std::shared_ptr<void> owner) = 0;
  [[nodiscard]] virtual std::shared_ptr<StreamState> wrap_stream(std::uintptr_t raw) = 0;
  [[nodiscard]] virtual std::size_t free_bytes() = 0;
  virtual void synchronize() = 0;
  virtual void abandon() = 0;
  [[nodiscard]] virtual BuildResult build(const BuildRequest& request) = 0;
  [[nodiscard]] virtual std::shared_ptr<ModuleState> load(std::span<const std::byte> binary,
                                                          const std::string& name) = 0;
  [[nodiscard]] virtual std::vector<std::string> compiler_fingerprint() = 0;
  [[nodiscard]] virtual std::uintptr_t raw() const = 0;
  /// Why there are no messages between devices (DeviceMessages); "" where there are.
  [[nodiscard]] virtual std::string absence_of_messages();
  [[nodiscard]] virtual std::unique_ptr<DeviceMessages> make_messages(const Communicator& ranks);

  /// From now on the holder is asked to give its memory back when an allocation fails.
  void add_holder(std::weak_ptr<MemoryHolder> holder);
  void reclaim();
  /// `allocate`; when memory is short, once more after reclaim().
  [[nodiscard]] std::shared_ptr<BufferState> allocate_or_reclaim(std::size_t bytes);

 private:
  DeviceInfo info_;
  MemoryAccount memory_;
  std::mutex holders_mutex_;
  std::vector<std::weak_ptr<MemoryHolder>> holders_;
};

/// The devices of one backend that can be opened, or why there are none.
struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::string absence;   ///< the reason, when there is no device
  std::string remedy{};  ///< what to do about it; empty: what helps where no driver is installed
};

/// A handle's state as its backend knows it; DeviceError when it belongs to another backend.
template <class Derived, class Base>
[[nodiscard]] Derived& state_cast(Base& state, const char* what) {
  auto* derived = dynamic_cast<Derived*>(&state);
  if (derived == nullptr) {
    throw DeviceError(std::string("this ") + what +
                      " belongs to a device of another backend; use one device's handles");
  }
  return *derived;
}

/// The error for something that a backend does not have: "OpenCL has no cooperative launch; ...".
[[nodiscard]] UnsupportedFeature lacks(Backend backend, const std::string& what, const std::string& instead);

/// "12.5 MB": for messages.
[[nodiscard]] std::string readable_bytes(std::size_t bytes);

/// The error for a request that the device cannot meet.
[[nodiscard]] OutOfDeviceMemory out_of_memory(const DeviceInfo& info, std::size_t asked, std::size_t free);

}  // namespace maxwell_dg::core
