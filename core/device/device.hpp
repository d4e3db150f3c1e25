#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/device/buffer.hpp"
#include "core/device/host_buffer.hpp"
#include "core/device/kernel.hpp"
#include "core/device/stream.hpp"
#include "core/dtype.hpp"

/// Backend-neutral handles: Device, Stream, Event, Buffer, HostBuffer, Module, Kernel. Each is a cheap value that
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
  std::string processor;     ///< generation of a CPU: "AMD family 26"; else ""
  std::size_t memory_bytes{};
  int compute_units{};                ///< multiprocessors or cores
  int warp_size{};                    ///< 32 on CUDA; 1 on a CPU
  int vector_bytes{};                 ///< preferred width of a SIMD register on a CPU (32 or 64), else 0
  std::size_t shared_memory_bytes{};  ///< that one work-group may use
  std::size_t max_group_size{};
  bool is_cpu{};
  bool has_float64{};
  bool has_float16{};

  [[nodiscard]] int cuda_architecture() const;  ///< 90 for "sm_90"; 0 on other backends
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

/// Text to compile, complete in itself: headers are given in memory.
struct BuildRequest {
  std::string name;  ///< what error messages call it
  std::string text;
  std::vector<std::pair<std::string, std::string>> headers;  ///< file name, text
  std::vector<std::string> options;
  /// CUDA only: instances of C++ templates to make, "scale<float>"; `BuildResult::lowered_names` says what the compiled
  /// code calls them.
  std::vector<std::string> name_expressions{};
};

/// What a compiler made: a binary for Device::load, with the compiler's remarks.
struct BuildResult {
  bool ok{};
  std::vector<std::byte> binary;
  std::string log;
  std::vector<std::pair<std::string, std::string>> lowered_names{};  ///< name expression, name in the binary
};

/// One property as the driver names it: "MAX_THREADS_PER_BLOCK", "1024".
struct DeviceAttribute {
  std::string name;
  std::string value;
};

/// `shared`: what other libraries in the process use, too (CUDA's primary context). `own`: a context of this Device
/// alone, which a fault elsewhere does not touch. An OpenCL Device always has its own.
enum class ContextKind { shared, own };

/// A box of memory whose rows begin where the device reads them best.
struct PitchedBuffer {
  Buffer buffer;
  BoxLayout layout;
};

class Device {
 public:
  Device() = default;
  explicit Device(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}
  /// Opens what `choose_device(spec)` finds.
  [[nodiscard]] static Device open(std::string_view spec, ContextKind kind = ContextKind::shared);
  [[nodiscard]] static Device open(const DeviceInfo& info, ContextKind kind = ContextKind::shared);

  [[nodiscard]] const DeviceInfo& info() const;
  /// Everything that the driver tells of the device; what an older driver does not know is left out.
  [[nodiscard]] std::vector<DeviceAttribute> attributes() const;
  [[nodiscard]] Stream create_stream(const StreamOptions& options = {}) const;
  /// Throws OutOfDeviceMemory with the bytes asked for and the bytes free. 0 bytes: a Buffer without memory.
  [[nodiscard]] Buffer allocate(std::size_t bytes) const;
  [[nodiscard]] PitchedBuffer allocate_pitched(const BoxExtent& extent) const;
  /// Host memory that this device knows of. UnsupportedFeature where it has none of that kind.
  [[nodiscard]] HostBuffer allocate_host(std::size_t bytes, HostMemory kind = HostMemory::page_locked) const;
  /// Page-locks memory of the caller's until the last handle dies; it must live that long.
  [[nodiscard]] HostBuffer register_host(std::span<std::byte> memory) const;
  /// Memory that another library allocated on this device: a CUdeviceptr or a cl_mem. `owner`, which may be null, is
  /// kept while handles to it live; the memory itself is never freed here.
  [[nodiscard]] Buffer wrap_buffer(std::uintptr_t raw, std::size_t bytes, std::shared_ptr<void> owner) const;
  /// A stream of another library, never destroyed here: a CUstream (0 is the default stream) or a cl_command_queue.
  [[nodiscard]] Stream wrap_stream(std::uintptr_t raw) const;
  [[nodiscard]] std::size_t allocated_bytes() const;  ///< alive now, through this device's handles
  [[nodiscard]] std::size_t peak_allocated_bytes() const;
  [[nodiscard]] std::size_t free_bytes() const;  ///< as the driver says; else all of memory less what is allocated
  void synchronize() const;
  /// For a kernel that does not end: from now on no handle of this device waits for it or gives anything back, and who
  /// needs the device to go on gets a DeviceError. The device is free again when the process has ended.
  void abandon() const;

  /// Compiles without loading; thread-safe. A failed build is `ok == false` with the log, not an exception;
  /// a compiler that is missing throws DeviceError.
  [[nodiscard]] BuildResult build(const BuildRequest& request) const;
  [[nodiscard]] Module load(std::span<const std::byte> binary, const std::string& name) const;
  /// Compiler version and build, architecture, driver: whatever may change what `build` returns.
  [[nodiscard]] std::vector<std::string> compiler_fingerprint() const;
  /// For keys of an application's own caches: 64 hexadecimal digits that change with the device's model, its driver and
  /// its compiler, and with nothing else.
  [[nodiscard]] std::string fingerprint() const;
  [[nodiscard]] std::uintptr_t raw() const;  ///< CUcontext or cl_context

  [[nodiscard]] DeviceState& state() const;  ///< throws DeviceError when the handle is empty

 private:
  std::shared_ptr<DeviceState> state_;
};

}  // namespace maxwell_dg::core
