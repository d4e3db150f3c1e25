#pragma once

#include <mutex>
#include <vector>

#include "core/cuda/context.hpp"

/// The states behind the handles on CUDA. Every member makes the device's primary context current while it works, so
/// that any host thread may call it. Destructors ignore what the driver says: at the end of the program it may be gone
/// (CUDA_ERROR_DEINITIALIZED), and an earlier failure, which was thrown where it was met, is repeated by every call.
namespace maxwell_dg::core::cuda {

class CudaDevice final : public DeviceState {
 public:
  CudaDevice(DeviceInfo info, CUdevice device, ContextKind kind);
  std::vector<DeviceAttribute> attributes() override;
  std::shared_ptr<StreamState> create_stream(const StreamOptions& options) override;
  std::shared_ptr<StreamState> wrap_stream(std::uintptr_t raw) override;
  std::shared_ptr<BufferState> allocate(std::size_t bytes) override;
  std::size_t best_row_pitch(std::size_t row_bytes) override;
  std::shared_ptr<BufferState> open_shared(const PeerMemory& memory) override;
  std::shared_ptr<HostState> allocate_host(std::size_t bytes, HostMemory kind) override;
  std::shared_ptr<HostState> register_host(std::span<std::byte> memory) override;
  std::shared_ptr<BufferState> wrap_buffer(std::uintptr_t raw, std::size_t bytes, std::shared_ptr<void> owner) override;
  std::size_t free_bytes() override;
  void synchronize() override;
  void abandon() override { context_.abandon(); }
  BuildResult build(const BuildRequest& request) override;
  std::shared_ptr<ModuleState> load(std::span<const std::byte> binary, const std::string& name) override;
  std::vector<std::string> compiler_fingerprint() override;
  std::string absence_of_messages() override;
  std::unique_ptr<DeviceMessages> make_messages(const Communicator& ranks) override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(context_.get()); }

  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] const LaunchLimits& limits() const { return limits_; }
  [[nodiscard]] int attribute(CUdevice_attribute what) const;
  [[nodiscard]] std::shared_ptr<CudaDevice> self() { return std::static_pointer_cast<CudaDevice>(shared_from_this()); }
  /// Where the host's clock stood when `event` was passed, in microseconds; for the trace.
  struct Clock {
    CUevent event{};
    double host{};
  };
  [[nodiscard]] Clock trace_clock();

 private:
  Context context_;
  LaunchLimits limits_;
  std::mutex clock_mutex_;
  Clock clock_;  // the event is left to the context's end
};

/// Makes the device's context current or throws.
class Current {
 public:
  explicit Current(const CudaDevice& device) : scope_(device.context()) { scope_.required(); }

 private:
  ScopedContext scope_;
};

class CudaBuffer final : public BufferState {
 public:
  /// `owner` keeps the memory, which is 0 for 0 bytes.
  CudaBuffer(std::shared_ptr<CudaDevice> device, std::size_t bytes, CUdeviceptr memory, std::shared_ptr<void> owner)
      : BufferState(bytes, std::move(owner)), device_(std::move(device)), memory_(memory) {}
  std::uintptr_t raw() const override { return static_cast<std::uintptr_t>(memory_); }
  std::shared_ptr<BufferState> region(std::size_t offset, std::size_t bytes, std::shared_ptr<void> owner) override;
  PeerMemory share() override;
  [[nodiscard]] CUdeviceptr get() const {
    require_memory();
    return memory_;
  }
  [[nodiscard]] const std::shared_ptr<CudaDevice>& device() const { return device_; }

 private:
  std::shared_ptr<CudaDevice> device_;
  CUdeviceptr memory_;
};

class CudaEvent final : public EventState {
 public:
  CudaEvent(std::shared_ptr<CudaDevice> device, EventKind kind);
  /// Takes over an event.
  CudaEvent(std::shared_ptr<CudaDevice> device, EventKind kind, CUevent event);
  ~CudaEvent() override;
  void synchronize() override;
  bool is_done() override;
  double seconds_since(EventState& begin) override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(event_); }
  [[nodiscard]] CUevent get() const { return event_; }
  [[nodiscard]] const CudaDevice& device() const { return *device_; }

 private:
  std::shared_ptr<CudaDevice> device_;
  CUevent event_{};
};

class CudaStream final : public StreamState {
 public:
  CudaStream(std::shared_ptr<CudaDevice> device, StreamPriority priority);
  /// Another library's stream.
  CudaStream(std::shared_ptr<CudaDevice> device, CUstream stream)
      : device_(std::move(device)), stream_(stream), owned_(false) {}
  ~CudaStream() override;
  void synchronize() override;
  std::shared_ptr<EventState> record(EventKind kind) override;
  void wait(EventState& event) override;
  void write(BufferState& to, std::size_t offset, std::span<const std::byte> from) override;
  void read(BufferState& from, std::size_t offset, std::span<std::byte> to) override;
  void copy(BufferState& from, std::size_t from_offset, BufferState& to, std::size_t to_offset,
            std::size_t bytes) override;
  void write_box(BufferState& to, const BoxLayout& to_layout, const std::byte* from, const BoxLayout& from_layout,
                 const BoxExtent& extent) override;
  void read_box(BufferState& from, const BoxLayout& from_layout, std::byte* to, const BoxLayout& to_layout,
                const BoxExtent& extent) override;
  void copy_box(BufferState& from, const BoxLayout& from_layout, BufferState& to, const BoxLayout& to_layout,
                const BoxExtent& extent) override;
  void fill(BufferState& buffer, std::size_t offset, std::size_t bytes, std::span<const std::byte> pattern) override;
  void fill_box(BufferState& buffer, const BoxLayout& layout, const BoxExtent& extent,
                std::span<const std::byte> pattern) override;
  void call_on_host(std::function<void()> function) override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(stream_); }
  [[nodiscard]] bool can_record() const override { return true; }
  std::shared_ptr<RecordingState> capture(const Stream& self, const std::function<void()>& work) override;
  [[nodiscard]] CUstream get() const { return stream_; }
  [[nodiscard]] const std::shared_ptr<CudaDevice>& device() const { return device_; }

 private:
  std::shared_ptr<CudaDevice> device_;
  CUstream stream_{};
  bool owned_{true};
};

class CudaModule final : public ModuleState, public std::enable_shared_from_this<CudaModule> {
 public:
  CudaModule(std::shared_ptr<CudaDevice> device, std::string name, std::span<const std::byte> binary);
  ~CudaModule() override;
  std::shared_ptr<KernelState> kernel(const std::string& name) override;
  std::shared_ptr<BufferState> global(const std::string& name) override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(module_); }
  [[nodiscard]] CudaDevice& device() const { return *device_; }

 private:
  std::shared_ptr<CudaDevice> device_;
  std::string name_;
  CUmodule module_{};
};

class CudaKernel final : public KernelState {
 public:
  CudaKernel(std::shared_ptr<CudaModule> module, std::string name, CUfunction function);
  KernelAttributes attributes() override;
  std::size_t suggested_group_size(std::size_t dynamic_shared_bytes) override;
  const LaunchLimits& limits() const override { return limits_; }
  void launch(StreamState& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) override;
  std::unique_ptr<PreparedState> prepare(const LaunchShape& shape, std::span<const KernelArgument> arguments) override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(function_); }

  [[nodiscard]] CUfunction get() const { return function_; }
  [[nodiscard]] CudaDevice& device() const { return module_->device(); }
  void check_argument(std::size_t index, const KernelArgument& argument) const;
  /// Dynamic shared memory beyond what needs no permission is asked for once.
  void allow_dynamic_shared(std::size_t bytes);
  /// `parameters[i]` points to the bytes of argument i.
  void enqueue(CudaStream& stream, const LaunchShape& shape, void** parameters) const;

 private:
  void check_arguments(std::span<const KernelArgument> arguments) const;

  std::shared_ptr<CudaModule> module_;
  CUfunction function_;
  LaunchLimits limits_;
  bool knows_parameters_{};                   // the driver says what the kernel takes
  std::vector<std::size_t> parameter_bytes_;  // in order
  std::mutex shared_mutex_;
  std::size_t allowed_shared_bytes_;  // dynamic, so far
};

}  // namespace maxwell_dg::core::cuda
