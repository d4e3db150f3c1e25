#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/dtype.hpp"

/// Backend-neutral handles: Device, Stream, Event, Buffer, Module, Kernel. Each is a cheap value that
/// shares ownership of the driver's object; the last owner releases it, in whatever order owners die.
/// Every driver failure is a DeviceError with the call, the code's name and what to do.
namespace maxwell_dg::core {

enum class Backend { cuda, opencl };
[[nodiscard]] std::string_view name_of(Backend backend);  // "CUDA", "OpenCL"

/// What a device says of itself.
struct DeviceInfo {
  Backend backend{};
  int index{};               ///< among the devices of its backend
  std::string name;          ///< "NVIDIA H200"
  std::string driver;        ///< driver or platform with its version
  std::string architecture;  ///< "sm_90"; for OpenCL the device's own version string
  std::size_t memory_bytes{};
  int compute_units{};                ///< multiprocessors or cores
  int warp_size{};                    ///< 32 on CUDA; 1 on a CPU
  int vector_bytes{};                 ///< preferred width of a SIMD register on a CPU (32 or 64), else 0
  std::size_t shared_memory_bytes{};  ///< that one work-group may use
  std::size_t max_group_size{};
  bool is_cpu{};
  bool has_float64{};
};

/// All devices that can be opened now, CUDA first. A missing driver means none of that kind, not an error.
[[nodiscard]] std::vector<DeviceInfo> list_devices();

/// `auto | cuda | cuda:N | opencl | opencl:N | cpu` -> the device; `reason` says why `auto` took it.
/// Throws DeviceError naming what is there when the device asked for is absent.
struct DeviceChoice {
  DeviceInfo info;
  std::string reason;
};
[[nodiscard]] DeviceChoice choose_device(std::string_view spec);

class DeviceState;
class StreamState;
class EventState;
class BufferState;
class ModuleState;
class KernelState;
class Stream;

/// Memory on a device. An empty Buffer holds nothing.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::shared_ptr<BufferState> state) : state_(std::move(state)) {}
  [[nodiscard]] std::size_t size_bytes() const;
  [[nodiscard]] explicit operator bool() const { return state_ != nullptr; }
  [[nodiscard]] std::uintptr_t raw() const;  ///< CUdeviceptr or cl_mem
  [[nodiscard]] BufferState& state() const;  ///< throws DeviceError when the handle is empty

 private:
  std::shared_ptr<BufferState> state_;
};

/// A marker in a stream.
class Event {
 public:
  Event() = default;
  explicit Event(std::shared_ptr<EventState> state) : state_(std::move(state)) {}
  void synchronize() const;
  [[nodiscard]] bool is_done() const;
  /// Device seconds from `begin` to `end`; both are waited for.
  [[nodiscard]] static double seconds_between(const Event& begin, const Event& end);
  [[nodiscard]] EventState& state() const;  ///< throws DeviceError when the handle is empty

 private:
  std::shared_ptr<EventState> state_;
};

struct LaunchShape {
  std::array<std::size_t, 3> groups{1, 1, 1};      ///< number of work-groups (CUDA: grid)
  std::array<std::size_t, 3> group_size{1, 1, 1};  ///< work-items in each (CUDA: block)
  std::size_t dynamic_shared_bytes{0};             ///< CUDA only; an error on OpenCL when not 0
};

using KernelArgument = std::variant<Buffer, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;

struct KernelAttributes {
  int registers{};             ///< a work-item; 0 where the backend does not say
  std::size_t shared_bytes{};  ///< static
  std::size_t local_bytes{};   ///< spills and private arrays
  std::size_t max_group_size{};
};

class Kernel {
 public:
  Kernel() = default;
  explicit Kernel(std::shared_ptr<KernelState> state) : state_(std::move(state)) {}
  /// Enqueues the kernel. A wrong number or size of arguments (where the driver can tell), or a group larger
  /// than the device allows, throws DeviceError naming the kernel. Zero groups are nothing to do. An empty Buffer
  /// is a null pointer. May be called from several threads.
  void launch(const Stream& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) const;
  void launch(const Stream& stream, const LaunchShape& shape, std::initializer_list<KernelArgument> arguments) const {
    launch(stream, shape, std::span(arguments.begin(), arguments.size()));
  }
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] KernelAttributes attributes() const;
  [[nodiscard]] KernelState& state() const;  ///< throws DeviceError when the handle is empty

 private:
  std::shared_ptr<KernelState> state_;
};

/// Code loaded on a device.
class Module {
 public:
  Module() = default;
  explicit Module(std::shared_ptr<ModuleState> state) : state_(std::move(state)) {}
  /// Throws DeviceError when there is no kernel of that name.
  [[nodiscard]] Kernel kernel(const std::string& name) const;
  [[nodiscard]] ModuleState& state() const;  ///< throws DeviceError when the handle is empty

 private:
  std::shared_ptr<ModuleState> state_;
};

/// An in-order queue of work.
class Stream {
 public:
  Stream() = default;
  explicit Stream(std::shared_ptr<StreamState> state) : state_(std::move(state)) {}
  void synchronize() const;
  [[nodiscard]] Event record() const;
  void wait(const Event& event) const;
  /// Asynchronous where host memory allows: the host memory must live, and be left alone, until the stream has
  /// passed the copy (`synchronize`, or an Event recorded after it). Only then is what was read there.
  void write(const Buffer& to, std::size_t offset_bytes, std::span<const std::byte> from) const;
  void read(const Buffer& from, std::size_t offset_bytes, std::span<std::byte> to) const;
  void copy(const Buffer& from, std::size_t from_offset, const Buffer& to, std::size_t to_offset,
            std::size_t bytes) const;
  void fill_zero(const Buffer& buffer) const;
  [[nodiscard]] std::uintptr_t raw() const;  ///< CUstream or cl_command_queue
  [[nodiscard]] StreamState& state() const;  ///< throws DeviceError when the handle is empty

 private:
  std::shared_ptr<StreamState> state_;
};

/// Text to compile, complete in itself: headers are given in memory.
struct BuildRequest {
  std::string name;  ///< what error messages call it
  std::string text;
  std::vector<std::pair<std::string, std::string>> headers;  ///< file name, text
  std::vector<std::string> options;
};

/// What a compiler made: a binary for Device::load, with the compiler's remarks.
struct BuildResult {
  bool ok{};
  std::vector<std::byte> binary;
  std::string log;
};

class Device {
 public:
  Device() = default;
  /// Opens what `choose_device(spec)` finds.
  [[nodiscard]] static Device open(std::string_view spec);
  [[nodiscard]] static Device open(const DeviceInfo& info);

  [[nodiscard]] const DeviceInfo& info() const;
  [[nodiscard]] Stream create_stream() const;
  /// Throws OutOfDeviceMemory with the bytes asked for and the bytes free. 0 bytes: a Buffer without memory.
  [[nodiscard]] Buffer allocate(std::size_t bytes) const;
  [[nodiscard]] std::size_t allocated_bytes() const;  ///< alive now, through this device's handles
  [[nodiscard]] std::size_t peak_allocated_bytes() const;
  [[nodiscard]] std::size_t free_bytes() const;  ///< as the driver says; else all of memory less what is allocated
  void synchronize() const;

  /// Compiles without loading; thread-safe. A failed build is `ok == false` with the log, not an exception;
  /// a compiler that is missing throws DeviceError.
  [[nodiscard]] BuildResult build(const BuildRequest& request) const;
  [[nodiscard]] Module load(std::span<const std::byte> binary, const std::string& name) const;
  /// Compiler version and build, architecture, driver: whatever may change what `build` returns.
  [[nodiscard]] std::vector<std::string> compiler_fingerprint() const;

  [[nodiscard]] DeviceState& state() const;  ///< throws DeviceError when the handle is empty

 private:
  explicit Device(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}
  std::shared_ptr<DeviceState> state_;
};

}  // namespace maxwell_dg::core
