#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/device/device.hpp"
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

class BufferState {
 public:
  explicit BufferState(std::size_t bytes) : size_bytes_(bytes) {}
  virtual ~BufferState() = default;
  BufferState(const BufferState&) = delete;
  BufferState& operator=(const BufferState&) = delete;
  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }
  [[nodiscard]] virtual std::uintptr_t raw() const = 0;

 private:
  std::size_t size_bytes_;
};

class EventState {
 public:
  EventState() = default;
  virtual ~EventState() = default;
  EventState(const EventState&) = delete;
  EventState& operator=(const EventState&) = delete;
  virtual void synchronize() = 0;
  [[nodiscard]] virtual bool is_done() = 0;
  [[nodiscard]] virtual double seconds_since(EventState& begin) = 0;
};

/// Offsets and sizes have been checked against the buffers, and are not empty, when a state sees them.
class StreamState {
 public:
  StreamState() = default;
  virtual ~StreamState() = default;
  StreamState(const StreamState&) = delete;
  StreamState& operator=(const StreamState&) = delete;
  virtual void synchronize() = 0;
  [[nodiscard]] virtual std::shared_ptr<EventState> record() = 0;
  virtual void wait(EventState& event) = 0;
  virtual void write(BufferState& to, std::size_t offset, std::span<const std::byte> from) = 0;
  virtual void read(BufferState& from, std::size_t offset, std::span<std::byte> to) = 0;
  virtual void copy(BufferState& from, std::size_t from_offset, BufferState& to, std::size_t to_offset,
                    std::size_t bytes) = 0;
  virtual void fill_zero(BufferState& buffer) = 0;
  [[nodiscard]] virtual std::uintptr_t raw() const = 0;
};

/// What a launch of one kernel must keep to.
struct LaunchLimits {
  std::size_t group_items{};                ///< product over the dimensions
  std::array<std::size_t, 3> group_size{};  ///< in each dimension
  std::array<std::size_t, 3> groups{};      ///< in each dimension
};

class KernelState {
 public:
  explicit KernelState(std::string name) : name_(std::move(name)) {}
  virtual ~KernelState() = default;
  KernelState(const KernelState&) = delete;
  KernelState& operator=(const KernelState&) = delete;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] virtual KernelAttributes attributes() = 0;
  [[nodiscard]] virtual const LaunchLimits& limits() const = 0;
  virtual void launch(StreamState& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) = 0;

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
};

class DeviceState : public std::enable_shared_from_this<DeviceState> {
 public:
  explicit DeviceState(DeviceInfo info) : info_(std::move(info)) {}
  virtual ~DeviceState() = default;
  DeviceState(const DeviceState&) = delete;
  DeviceState& operator=(const DeviceState&) = delete;

  [[nodiscard]] const DeviceInfo& info() const { return info_; }
  [[nodiscard]] MemoryAccount& memory() { return memory_; }

  [[nodiscard]] virtual std::shared_ptr<StreamState> create_stream() = 0;
  /// `bytes` may be 0: a buffer without memory.
  [[nodiscard]] virtual std::shared_ptr<BufferState> allocate(std::size_t bytes) = 0;
  [[nodiscard]] virtual std::size_t free_bytes() = 0;
  virtual void synchronize() = 0;
  [[nodiscard]] virtual BuildResult build(const BuildRequest& request) = 0;
  [[nodiscard]] virtual std::shared_ptr<ModuleState> load(std::span<const std::byte> binary,
                                                          const std::string& name) = 0;
  [[nodiscard]] virtual std::vector<std::string> compiler_fingerprint() = 0;

 private:
  DeviceInfo info_;
  MemoryAccount memory_;
};

/// The devices of one backend that can be opened, or why there are none.
struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::string absence;  ///< the reason, when there is no device
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

/// "12.5 MB": for messages.
[[nodiscard]] std::string readable_bytes(std::size_t bytes);

/// The error for a request that the device cannot meet.
[[nodiscard]] OutOfDeviceMemory out_of_memory(const DeviceInfo& info, std::size_t asked, std::size_t free);

}  // namespace maxwell_dg::core
