#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "core/opencl/platform.hpp"
#include "core/opencl/signatures.hpp"

/// The states behind the handles on OpenCL.
namespace maxwell_dg::core::opencl {

class OpenclDevice final : public DeviceState {
 public:
  explicit OpenclDevice(const FoundDevice& found);
  std::vector<DeviceAttribute> attributes() override;
  std::shared_ptr<StreamState> create_stream(const StreamOptions& options) override;
  std::shared_ptr<StreamState> wrap_stream(std::uintptr_t raw) override;
  std::shared_ptr<BufferState> allocate(std::size_t bytes) override;
  std::size_t best_row_pitch(std::size_t row_bytes) override;
  std::shared_ptr<HostState> allocate_host(std::size_t bytes, HostMemory kind) override;
  std::shared_ptr<HostState> register_host(std::span<std::byte> memory) override;
  std::shared_ptr<BufferState> wrap_buffer(std::uintptr_t raw, std::size_t bytes, std::shared_ptr<void> owner) override;
  /// OpenCL does not say: all of memory without what this device's buffers hold.
  std::size_t free_bytes() override;
  void synchronize() override;
  void abandon() override { is_abandoned_ = true; }
  BuildResult build(const BuildRequest& request) override;
  BuildResult link(std::span<const BuildRequest> units, const std::vector<std::string>& options);
  BuildResult build_spirv(std::span<const std::byte> words, const std::string& name,
                          const std::vector<std::string>& options);
  std::shared_ptr<ModuleState> load(std::span<const std::byte> binary, const std::string& name) override;
  std::vector<std::string> compiler_fingerprint() override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(context_.get()); }

  [[nodiscard]] const FoundDevice& found() const { return found_; }
  [[nodiscard]] cl_device_id id() const { return found_.id; }
  [[nodiscard]] cl_context context() const { return context_.get(); }
  [[nodiscard]] const LaunchLimits& limits() const { return limits_; }
  /// Bytes that the address of a part of a buffer is a multiple of.
  [[nodiscard]] std::size_t alignment() const { return alignment_; }
  [[nodiscard]] bool is_abandoned() const { return is_abandoned_; }
  /// Before a wait. Throws DeviceError where it would never end.
  void require_not_abandoned() const;
  /// For showing memory to the host, which needs a queue of no particular stream.
  [[nodiscard]] cl_command_queue own_queue();

  [[nodiscard]] std::shared_ptr<OpenclDevice> self() {
    return std::static_pointer_cast<OpenclDevice>(shared_from_this());
  }

 private:
  BuildResult build(const std::string& name, const std::string& text, const std::string& options);
  std::shared_ptr<StreamState> enlist(std::shared_ptr<StreamState> stream);

  FoundDevice found_;
  Owned<cl_context> context_;
  LaunchLimits limits_;
  std::size_t largest_allocation_{};
  std::size_t alignment_{};
  std::string language_;
  std::atomic<bool> is_abandoned_{};
  bool reads_long_header_{};  ///< of OpenCL C, with every text: PoCL
  std::mutex streams_mutex_;
  std::vector<std::weak_ptr<StreamState>> streams_;
  Owned<cl_command_queue> own_queue_;
};

/// A cl_mem, which `owner` keeps. A part knows the whole that it was cut from: parts of parts are not allowed.
class OpenclBuffer final : public BufferState {
 public:
  struct Place {
    cl_mem whole{};
    std::size_t offset{};
  };
  OpenclBuffer(std::shared_ptr<OpenclDevice> device, std::size_t bytes, cl_mem memory, Place place,
               std::shared_ptr<void> owner)
      : BufferState(bytes, std::move(owner)), device_(std::move(device)), memory_(memory), place_(place) {}
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(memory_); }
  std::shared_ptr<BufferState> region(std::size_t offset, std::size_t bytes, std::shared_ptr<void> owner) override;
  [[nodiscard]] cl_mem get() const {
    require_memory();
    return memory_;
  }

 private:
  std::shared_ptr<OpenclDevice> device_;
  cl_mem memory_;
  Place place_;
};

class OpenclEvent final : public EventState {
 public:
  OpenclEvent(std::shared_ptr<OpenclDevice> device, Owned<cl_event> event, EventKind kind);
  void synchronize() override;
  bool is_done() override;
  double seconds_since(EventState& begin) override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(event_.get()); }
  [[nodiscard]] cl_event get() const { return event_.get(); }

 private:
  [[nodiscard]] cl_ulong end_nanoseconds();

  std::shared_ptr<OpenclDevice> device_;
  Owned<cl_event> event_;
};

/// A queue of ours, whose end waits for the work in it, or somebody else's.
class OpenclStream final : public StreamState {
 public:
  enum class Queue { ours, wrapped };
  OpenclStream(std::shared_ptr<OpenclDevice> device, Owned<cl_command_queue> queue, Queue whose);
  ~OpenclStream() override;
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
  void call_on_host(std::function<void()> function) override;
  [[nodiscard]] bool can_record() const override { return false; }
  std::shared_ptr<RecordingState> capture(const Stream& self, const std::function<void()>& work) override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(queue_.get()); }
  [[nodiscard]] cl_command_queue get() const { return queue_.get(); }

 private:
  std::shared_ptr<OpenclDevice> device_;
  Owned<cl_command_queue> queue_;
  Queue whose_;
};

class OpenclModule final : public ModuleState, public std::enable_shared_from_this<OpenclModule> {
 public:
  OpenclModule(std::shared_ptr<OpenclDevice> device, std::string name, Owned<cl_program> program,
               Signatures signatures);
  std::shared_ptr<KernelState> kernel(const std::string& name) override;
  std::shared_ptr<BufferState> global(const std::string& name) override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(program_.get()); }
  [[nodiscard]] const std::shared_ptr<OpenclDevice>& device() const { return device_; }
  /// A cl_kernel of its own; its arguments are nobody else's.
  [[nodiscard]] Owned<cl_kernel> create_kernel(const std::string& name) const;

 private:
  std::shared_ptr<OpenclDevice> device_;
  std::string name_;
  Owned<cl_program> program_;
  Signatures signatures_;
};

class OpenclKernel final : public KernelState {
 public:
  OpenclKernel(std::shared_ptr<const OpenclModule> module, std::string name, Owned<cl_kernel> kernel,
               Signature signature);
  KernelAttributes attributes() override;
  std::size_t suggested_group_size(std::size_t dynamic_shared_bytes) override;
  const LaunchLimits& limits() const override { return limits_; }
  void launch(StreamState& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) override;
  std::unique_ptr<PreparedState> prepare(const LaunchShape& shape, std::span<const KernelArgument> arguments) override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(kernel_.get()); }

  [[nodiscard]] cl_kernel get() const { return kernel_.get(); }
  [[nodiscard]] const std::shared_ptr<OpenclDevice>& device() const { return module_->device(); }
  /// Sets an argument of `kernel`, which is this one or a copy of it. Throws DeviceError when it does not fit.
  void set_argument(cl_kernel kernel, std::size_t index, const KernelArgument& argument) const;
  /// `event` may be null; else it receives the event of the command.
  void enqueue(cl_kernel kernel, StreamState& stream, const LaunchShape& shape, Owned<cl_event>* event) const;
  [[nodiscard]] Owned<cl_event> launch_with_event(StreamState& stream, const LaunchShape& shape,
                                                  std::span<const KernelArgument> arguments);

 private:
  void check_launch(const LaunchShape& shape, std::size_t arguments) const;
  void set_and_enqueue(StreamState& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments,
                       Owned<cl_event>* event);

  std::shared_ptr<const OpenclModule> module_;
  Owned<cl_kernel> kernel_;
  Signature signature_;
  LaunchLimits limits_;
  std::mutex arguments_mutex_;  // arguments belong to the cl_kernel until it is enqueued
};

}  // namespace maxwell_dg::core::opencl
