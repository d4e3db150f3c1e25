#include "core/device/device.hpp"

#include <charconv>

#include "core/device/backend.hpp"
#include "core/device/backends.hpp"
#include "core/device/handles.hpp"
#include "core/device/trace.hpp"
#include "core/digest.hpp"

namespace maxwell_dg::core {

std::string_view name_of(Backend backend) {
  return backend == Backend::cuda ? "CUDA" : "OpenCL";
}

int DeviceInfo::cuda_architecture() const {
  int number = 0;
  if (backend == Backend::cuda && architecture.starts_with("sm_")) {
    std::from_chars(architecture.data() + 3, architecture.data() + architecture.size(), number);
  }
  return number;
}

DeviceState& Device::state() const {
  return used(state_, "Device");
}

Device Device::open(std::string_view spec, ContextKind kind) {
  return open(choose_device(spec).info, kind);
}
Device Device::open(const DeviceInfo& info, ContextKind kind) {
  return Device(open_backend_device(info, kind));
}
const DeviceInfo& Device::info() const {
  return state().info();
}
std::vector<DeviceAttribute> Device::attributes() const {
  return state().attributes();
}
Stream Device::create_stream(const StreamOptions& options) const {
  return Stream(state().create_stream(options));
}
Stream Device::wrap_stream(std::uintptr_t raw) const {
  return Stream(state().wrap_stream(raw));
}

Buffer Device::allocate(std::size_t bytes) const {
  return Buffer(state().allocate_or_reclaim(bytes));
}

PitchedBuffer Device::allocate_pitched(const BoxExtent& extent) const {
  const std::size_t pitch = state().best_row_pitch(extent.width);
  std::size_t slice = 0;
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(pitch, extent.height, &slice) || __builtin_mul_overflow(slice, extent.depth, &bytes)) {
    throw DeviceError("Device::allocate_pitched: the box has more bytes than an address has; make it smaller");
  }
  return {.buffer = allocate(bytes), .layout = {.offset = 0, .row_pitch = pitch, .slice_pitch = slice}};
}

HostBuffer Device::allocate_host(std::size_t bytes, HostMemory kind) const {
  return HostBuffer(state().allocate_host(bytes, kind));
}
HostBuffer Device::register_host(std::span<std::byte> memory) const {
  return HostBuffer(state().register_host(memory));
}
Buffer Device::wrap_buffer(std::uintptr_t raw, std::size_t bytes, std::shared_ptr<void> owner) const {
  return Buffer(state().wrap_buffer(raw, bytes, std::move(owner)));
}

std::size_t Device::allocated_bytes() const {
  return state().memory().current();
}
std::size_t Device::peak_allocated_bytes() const {
  return state().memory().peak();
}
std::size_t Device::free_bytes() const {
  return state().free_bytes();
}
void Device::synchronize() const {
  state().synchronize();
  if (trace::is_active()) trace::collect();
}

void Device::abandon() const {
  state().abandon();
}

BuildResult Device::build(const BuildRequest& request) const {
  return state().build(request);
}
Module Device::load(std::span<const std::byte> binary, const std::string& name) const {
  return Module(state().load(binary, name));
}
std::vector<std::string> Device::compiler_fingerprint() const {
  return state().compiler_fingerprint();
}

std::string Device::fingerprint() const {
  Sha256 digest;
  for (const std::string& field : {info().name, info().driver, info().architecture}) digest.add_field(field);
  for (const std::string& field : compiler_fingerprint()) digest.add_field(field);
  return digest.hex();
}

std::uintptr_t Device::raw() const {
  return state().raw();
}

void DeviceState::add_holder(std::weak_ptr<MemoryHolder> holder) {
  const std::lock_guard lock(holders_mutex_);
  std::erase_if(holders_, [](const auto& entry) { return entry.expired(); });
  holders_.push_back(std::move(holder));
}

void DeviceState::reclaim() {
  std::vector<std::weak_ptr<MemoryHolder>> holders;
  {
    const std::lock_guard lock(holders_mutex_);
    holders = holders_;
  }
  for (const auto& entry : holders) {
    if (const auto holder = entry.lock()) holder->give_back();
  }
}

std::shared_ptr<BufferState> DeviceState::allocate_or_reclaim(std::size_t bytes) {
  try {
    return allocate(bytes);
  } catch (const OutOfDeviceMemory&) {
    reclaim();
    return allocate(bytes);
  }
}

}  // namespace maxwell_dg::core
