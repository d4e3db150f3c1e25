#pragma once

#include <mutex>
#include <vector>

#include "core/opencl/platform.hpp"

/// The states behind the handles on OpenCL.
namespace maxwell_dg::core::opencl {

class OpenclDevice final : public DeviceState {
 public:
  explicit OpenclDevice(const FoundDevice& found);
  std::shared_ptr<StreamState> create_stream() override;
  std::shared_ptr<BufferState> allocate(std::size_t bytes) override;
  /// OpenCL does not say: all of memory without what this device's buffers hold.
  std::size_t free_bytes() override;
  void synchronize() override;
  BuildResult build(const BuildRequest& request) override;
  std::shared_ptr<ModuleState> load(std::span<const std::byte> binary, const std::string& name) override;
  std::vector<std::string> compiler_fingerprint() override;

  [[nodiscard]] cl_device_id id() const { return found_.id; }
  [[nodiscard]] cl_context context() const { return context_.get(); }
  [[nodiscard]] const LaunchLimits& limits() const { return limits_; }

 private:
  FoundDevice found_;
  Owned<cl_context> context_;
  LaunchLimits limits_;
  std::size_t largest_allocation_{};
  std::string language_;
  std::mutex streams_mutex_;
  std::vector<std::weak_ptr<StreamState>> streams_;
};

class OpenclBuffer final : public BufferState {
 public:
  OpenclBuffer(std::shared_ptr<OpenclDevice> device, std::size_t bytes, Owned<cl_mem> memory);
  ~OpenclBuffer() override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(memory_.get()); }
  [[nodiscard]] cl_mem get() const { return memory_.get(); }

 private:
  std::shared_ptr<OpenclDevice> device_;
  Owned<cl_mem> memory_;
};

class OpenclEvent final : public EventState {
 public:
  OpenclEvent(std::shared_ptr<OpenclDevice> device, Owned<cl_event> event);
  void synchronize() override;
  bool is_done() override;
  double seconds_since(EventState& begin) override;
  [[nodiscard]] cl_event get() const { return event_.get(); }

 private:
  [[nodiscard]] cl_ulong end_nanoseconds();

  std::shared_ptr<OpenclDevice> device_;
  Owned<cl_event> event_;
};

class OpenclStream final : public StreamState {
 public:
  explicit OpenclStream(std::shared_ptr<OpenclDevice> device);
  void synchronize() override;
  std::shared_ptr<EventState> record() override;
  void wait(EventState& event) override;
  void write(BufferState& to, std::size_t offset, std::span<const std::byte> from) override;
  void read(BufferState& from, std::size_t offset, std::span<std::byte> to) override;
  void copy(BufferState& from, std::size_t from_offset, BufferState& to, std::size_t to_offset,
            std::size_t bytes) override;
  void fill_zero(BufferState& buffer) override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(queue_.get()); }
  [[nodiscard]] cl_command_queue get() const { return queue_.get(); }

 private:
  std::shared_ptr<OpenclDevice> device_;
  Owned<cl_command_queue> queue_;
};

class OpenclModule final : public ModuleState, public std::enable_shared_from_this<OpenclModule> {
 public:
  OpenclModule(std::shared_ptr<OpenclDevice> device, std::string name, Owned<cl_program> program);
  std::shared_ptr<KernelState> kernel(const std::string& name) override;

 private:
  std::shared_ptr<OpenclDevice> device_;
  std::string name_;
  Owned<cl_program> program_;
};

class OpenclKernel final : public KernelState {
 public:
  OpenclKernel(std::shared_ptr<OpenclDevice> device, std::string name, Owned<cl_kernel> kernel);
  KernelAttributes attributes() override;
  const LaunchLimits& limits() const override { return limits_; }
  void launch(StreamState& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) override;

 private:
  std::shared_ptr<OpenclDevice> device_;
  Owned<cl_kernel> kernel_;
  LaunchLimits limits_;
  cl_uint argument_count_{};
  std::mutex arguments_mutex_;  // arguments belong to the cl_kernel until it is enqueued
};

}  // namespace maxwell_dg::core::opencl
