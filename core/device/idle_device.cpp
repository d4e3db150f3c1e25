#include "core/device/idle_device.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/device/backend.hpp"

namespace maxwell_dg::core {
namespace {

class IdleBuffer final : public BufferState {
 public:
  using BufferState::BufferState;
  [[nodiscard]] std::uintptr_t raw() const override { return 0; }
  [[nodiscard]] std::shared_ptr<BufferState> region(std::size_t, std::size_t bytes,
                                                    std::shared_ptr<void> owner) override {
    return std::make_shared<IdleBuffer>(bytes, std::move(owner));
  }
};

class IdleEvent final : public EventState {
 public:
  using EventState::EventState;
  void synchronize() override {}
  [[nodiscard]] bool is_done() override { return true; }
  [[nodiscard]] double seconds_since(EventState&) override { return 0; }
  [[nodiscard]] std::uintptr_t raw() const override { return 0; }
};

class IdleStream final : public StreamState {
 public:
  void synchronize() override {}
  [[nodiscard]] std::shared_ptr<EventState> record(EventKind kind) override {
    return std::make_shared<IdleEvent>(kind);
  }
  void wait(EventState&) override {}
  void write(BufferState&, std::size_t, std::span<const std::byte>) override {}
  void read(BufferState&, std::size_t, std::span<std::byte> to) override { std::ranges::fill(to, std::byte{0}); }
  void copy(BufferState&, std::size_t, BufferState&, std::size_t, std::size_t) override {}
  void write_box(BufferState&, const BoxLayout&, const std::byte*, const BoxLayout&, const BoxExtent&) override {}
  void read_box(BufferState&, const BoxLayout&, std::byte* to, const BoxLayout& layout,
                const BoxExtent& extent) override {
    for (std::size_t slice = 0; slice < extent.depth; ++slice) {
      for (std::size_t row = 0; row < extent.height; ++row) {
        std::fill_n(to + layout.offset + slice * layout.slice_pitch + row * layout.row_pitch, extent.width,
                    std::byte{0});
      }
    }
  }
  void copy_box(BufferState&, const BoxLayout&, BufferState&, const BoxLayout&, const BoxExtent&) override {}
  void fill(BufferState&, std::size_t, std::size_t, std::span<const std::byte>) override {}
  void fill_box(BufferState&, const BoxLayout&, const BoxExtent&, std::span<const std::byte>) override {}
  void call_on_host(std::function<void()> function) override { function(); }
  [[nodiscard]] bool can_record() const override { return false; }
  [[nodiscard]] std::shared_ptr<RecordingState> capture(const Stream&, const std::function<void()>&) override {
    throw UnsupportedFeature("an idle device records no work; enqueue it again instead");
  }
  [[nodiscard]] std::uintptr_t raw() const override { return 0; }
};

class IdleLaunch final : public PreparedState {
 public:
  void set(std::size_t, const KernelArgument&) override {}
  void launch(StreamState&) override {}
};

class IdleKernel final : public KernelState {
 public:
  IdleKernel(std::string name, std::size_t max_group_size) : KernelState(std::move(name)) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    limits_ = {.group_items = max_group_size, .group_size = {most, most, most}, .groups = {most, most, most}};
  }
  [[nodiscard]] KernelAttributes attributes() override { return {.max_group_size = limits_.group_items}; }
  [[nodiscard]] std::size_t suggested_group_size(std::size_t) override { return limits_.group_items; }
  [[nodiscard]] const LaunchLimits& limits() const override { return limits_; }
  void launch(StreamState&, const LaunchShape&, std::span<const KernelArgument>) override {}
  [[nodiscard]] std::unique_ptr<PreparedState> prepare(const LaunchShape&, std::span<const KernelArgument>) override {
    return std::make_unique<IdleLaunch>();
  }
  [[nodiscard]] std::uintptr_t raw() const override { return 0; }

 private:
  LaunchLimits limits_;
};

class IdleModule final : public ModuleState {
 public:
  explicit IdleModule(std::size_t max_group_size) : max_group_size_(max_group_size) {}
  [[nodiscard]] std::shared_ptr<KernelState> kernel(const std::string& name) override {
    return std::make_shared<IdleKernel>(name, max_group_size_);
  }
  [[nodiscard]] std::shared_ptr<BufferState> global(const std::string& name) override {
    throw UnsupportedFeature("an idle device does not know the size of the global variable " + name);
  }
  [[nodiscard]] std::uintptr_t raw() const override { return 0; }

 private:
  std::size_t max_group_size_;
};

class IdleDevice final : public DeviceState {
 public:
  IdleDevice(DeviceInfo info, std::vector<std::string> fingerprint)
      : DeviceState(std::move(info)), fingerprint_(std::move(fingerprint)) {}

  [[nodiscard]] std::vector<DeviceAttribute> attributes() override { return {}; }
  [[nodiscard]] std::shared_ptr<StreamState> create_stream(const StreamOptions&) override {
    return std::make_shared<IdleStream>();
  }
  [[nodiscard]] std::shared_ptr<BufferState> allocate(std::size_t bytes) override {
    return std::make_shared<IdleBuffer>(bytes, shared_from_this());
  }
  [[nodiscard]] std::size_t best_row_pitch(std::size_t row_bytes) override { return row_bytes; }
  [[nodiscard]] std::shared_ptr<HostState> allocate_host(std::size_t bytes, HostMemory) override {
    const auto memory = std::make_shared<std::vector<std::byte>>(bytes);
    return std::make_shared<HostState>(std::span(*memory), std::make_shared<IdleBuffer>(bytes, memory), memory);
  }
  [[nodiscard]] std::shared_ptr<HostState> register_host(std::span<std::byte> memory) override {
    return std::make_shared<HostState>(memory, nullptr, nullptr);
  }
  [[nodiscard]] std::shared_ptr<BufferState> wrap_buffer(std::uintptr_t, std::size_t bytes,
                                                         std::shared_ptr<void> owner) override {
    return std::make_shared<IdleBuffer>(bytes, std::move(owner));
  }
  [[nodiscard]] std::shared_ptr<StreamState> wrap_stream(std::uintptr_t) override { return create_stream({}); }
  [[nodiscard]] std::size_t free_bytes() override { return info().memory_bytes; }
  void synchronize() override {}
  void abandon() override {}
  [[nodiscard]] BuildResult build(const BuildRequest& request) override {
    throw DeviceError(request.name + ": an idle device compiles nothing; open a device");
  }
  [[nodiscard]] std::shared_ptr<ModuleState> load(std::span<const std::byte>, const std::string&) override {
    return std::make_shared<IdleModule>(info().max_group_size);
  }
  [[nodiscard]] std::vector<std::string> compiler_fingerprint() override { return fingerprint_; }
  [[nodiscard]] std::uintptr_t raw() const override { return 0; }

 private:
  std::vector<std::string> fingerprint_;
};

}  // namespace

Device idle_device(const Device& like) {
  return Device(std::make_shared<IdleDevice>(like.info(), like.compiler_fingerprint()));
}

}  // namespace maxwell_dg::core
