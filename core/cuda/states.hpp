#pragma once

#include <mutex>
#include <vector>

#include "core/cuda/driver.hpp"

/// The states behind the handles on CUDA. Every member makes the device's primary context current while it works, so
/// that any host thread may call it. Destructors ignore what the driver says: at the end of the program it may be gone
/// (CUDA_ERROR_DEINITIALIZED), and an earlier failure, which was thrown where it was met, is repeated by every call.
namespace maxwell_dg::core::cuda {

/// A reference to a device's primary context, the one that other libraries in the process use too.
class PrimaryContext {
 public:
  explicit PrimaryContext(CUdevice device);
  ~PrimaryContext();
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;
  [[nodiscard]] CUcontext get() const { return context_; }

 private:
  CUdevice device_;
  CUcontext context_{};
};

class CudaDevice final : public DeviceState {
 public:
  CudaDevice(DeviceInfo info, CUdevice device);
  std::shared_ptr<StreamState> create_stream() override;
  std::shared_ptr<BufferState> allocate(std::size_t bytes) override;
  std::size_t free_bytes() override;
  void synchronize() override;
  BuildResult build(const BuildRequest& request) override;
  std::shared_ptr<ModuleState> load(std::span<const std::byte> binary, const std::string& name) override;
  std::vector<std::string> compiler_fingerprint() override;

  [[nodiscard]] CUcontext context() const { return context_.get(); }
  [[nodiscard]] const LaunchLimits& limits() const { return limits_; }

 private:
  PrimaryContext context_;
  LaunchLimits limits_;
};

class CudaBuffer final : public BufferState {
 public:
  /// Takes over `memory`, which is 0 for 0 bytes.
  CudaBuffer(std::shared_ptr<CudaDevice> device, std::size_t bytes, CUdeviceptr memory);
  ~CudaBuffer() override;
  std::uintptr_t raw() const override { return static_cast<std::uintptr_t>(memory_); }
  [[nodiscard]] CUdeviceptr get() const { return memory_; }

 private:
  std::shared_ptr<CudaDevice> device_;
  CUdeviceptr memory_;
};

class CudaEvent final : public EventState {
 public:
  explicit CudaEvent(std::shared_ptr<CudaDevice> device);
  ~CudaEvent() override;
  void synchronize() override;
  bool is_done() override;
  double seconds_since(EventState& begin) override;
  [[nodiscard]] CUevent get() const { return event_; }

 private:
  std::shared_ptr<CudaDevice> device_;
  CUevent event_{};
};

class CudaStream final : public StreamState {
 public:
  explicit CudaStream(std::shared_ptr<CudaDevice> device);
  ~CudaStream() override;
  void synchronize() override;
  std::shared_ptr<EventState> record() override;
  void wait(EventState& event) override;
  void write(BufferState& to, std::size_t offset, std::span<const std::byte> from) override;
  void read(BufferState& from, std::size_t offset, std::span<std::byte> to) override;
  void copy(BufferState& from, std::size_t from_offset, BufferState& to, std::size_t to_offset,
            std::size_t bytes) override;
  void fill_zero(BufferState& buffer) override;
  std::uintptr_t raw() const override { return reinterpret_cast<std::uintptr_t>(stream_); }
  [[nodiscard]] CUstream get() const { return stream_; }

 private:
  std::shared_ptr<CudaDevice> device_;
  CUstream stream_{};
};

class CudaModule final : public ModuleState, public std::enable_shared_from_this<CudaModule> {
 public:
  CudaModule(std::shared_ptr<CudaDevice> device, std::string name, std::span<const std::byte> binary);
  ~CudaModule() override;
  std::shared_ptr<KernelState> kernel(const std::string& name) override;
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
  const LaunchLimits& limits() const override { return limits_; }
  void launch(StreamState& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) override;

 private:
  void check_arguments(std::span<const KernelArgument> arguments) const;
  void allow_dynamic_shared(std::size_t bytes);

  std::shared_ptr<CudaModule> module_;
  CUfunction function_;
  LaunchLimits limits_;
  bool knows_parameters_{};                   // the driver says what the kernel takes
  std::vector<std::size_t> parameter_bytes_;  // in order
  std::mutex shared_mutex_;
  std::size_t allowed_shared_bytes_;  // dynamic, so far
};

}  // namespace maxwell_dg::core::cuda
