#include "core/device/device.hpp"

#include "core/device/backend.hpp"
#include "core/device/backends.hpp"

namespace maxwell_dg::core {
namespace {

/// The state behind a handle; a handle made by its default constructor has none.
template <class State>
State& used(const std::shared_ptr<State>& state, const char* what) {
  if (state == nullptr) throw DeviceError(std::string("an empty ") + what + " was used; get one from a Device");
  return *state;
}

/// True when there is something to move. An empty Buffer has 0 bytes.
bool check_range(const Buffer& buffer, std::size_t offset, std::size_t bytes, const char* call) {
  const std::size_t size = buffer.size_bytes();
  if (offset > size || bytes > size - offset) {
    throw DeviceError(std::string(call) + ": bytes " + std::to_string(offset) + " to " +
                      std::to_string(offset + bytes) + " do not lie in a buffer of " + std::to_string(size) + " bytes");
  }
  return bytes != 0;
}

void check_shape(const KernelState& kernel, const LaunchShape& shape) {
  const LaunchLimits& limits = kernel.limits();
  std::size_t items = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto fail = [&](const char* what, std::size_t is, std::size_t most) {
      throw DeviceError("kernel '" + kernel.name() + "': " + what + " " + std::to_string(is) + " in dimension " +
                        std::to_string(d) + "; it may be 1 to " + std::to_string(most));
    };
    if (shape.group_size[d] == 0 || shape.group_size[d] > limits.group_size[d]) {
      fail("group size", shape.group_size[d], limits.group_size[d]);
    }
    if (shape.groups[d] > limits.groups[d]) fail("number of groups", shape.groups[d], limits.groups[d]);
    items *= shape.group_size[d];
  }
  if (items > limits.group_items) {
    throw DeviceError("kernel '" + kernel.name() + "': a group of " + std::to_string(items) + " work-items; at most " +
                      std::to_string(limits.group_items) + " fit on this device");
  }
}

}  // namespace

BufferState& Buffer::state() const {
  return used(state_, "Buffer");
}
EventState& Event::state() const {
  return used(state_, "Event");
}
KernelState& Kernel::state() const {
  return used(state_, "Kernel");
}
ModuleState& Module::state() const {
  return used(state_, "Module");
}
StreamState& Stream::state() const {
  return used(state_, "Stream");
}
DeviceState& Device::state() const {
  return used(state_, "Device");
}

std::string_view name_of(Backend backend) {
  return backend == Backend::cuda ? "CUDA" : "OpenCL";
}

std::size_t Buffer::size_bytes() const {
  return state_ == nullptr ? 0 : state_->size_bytes();
}
std::uintptr_t Buffer::raw() const {
  return state_ == nullptr ? 0 : state_->raw();
}

void Event::synchronize() const {
  state().synchronize();
}
bool Event::is_done() const {
  return state().is_done();
}
double Event::seconds_between(const Event& begin, const Event& end) {
  return end.state().seconds_since(begin.state());
}

void Kernel::launch(const Stream& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) const {
  KernelState& kernel = state();
  check_shape(kernel, shape);
  if (shape.groups[0] == 0 || shape.groups[1] == 0 || shape.groups[2] == 0) return;
  kernel.launch(stream.state(), shape, arguments);
}
const std::string& Kernel::name() const {
  return state().name();
}
KernelAttributes Kernel::attributes() const {
  return state().attributes();
}

Kernel Module::kernel(const std::string& name) const {
  return Kernel(state().kernel(name));
}

void Stream::synchronize() const {
  state().synchronize();
}
Event Stream::record() const {
  return Event(state().record());
}
void Stream::wait(const Event& event) const {
  state().wait(event.state());
}

void Stream::write(const Buffer& to, std::size_t offset_bytes, std::span<const std::byte> from) const {
  StreamState& stream = state();
  if (check_range(to, offset_bytes, from.size(), "Stream::write")) stream.write(to.state(), offset_bytes, from);
}

void Stream::read(const Buffer& from, std::size_t offset_bytes, std::span<std::byte> to) const {
  StreamState& stream = state();
  if (check_range(from, offset_bytes, to.size(), "Stream::read")) stream.read(from.state(), offset_bytes, to);
}

void Stream::copy(const Buffer& from, std::size_t from_offset, const Buffer& to, std::size_t to_offset,
                  std::size_t bytes) const {
  StreamState& stream = state();
  const bool some = check_range(from, from_offset, bytes, "Stream::copy, source");
  if (check_range(to, to_offset, bytes, "Stream::copy, target") && some) {
    stream.copy(from.state(), from_offset, to.state(), to_offset, bytes);
  }
}

void Stream::fill_zero(const Buffer& buffer) const {
  StreamState& stream = state();
  if (buffer.size_bytes() != 0) stream.fill_zero(buffer.state());
}

std::uintptr_t Stream::raw() const {
  return state().raw();
}

Device Device::open(std::string_view spec) {
  return open(choose_device(spec).info);
}
Device Device::open(const DeviceInfo& info) {
  return Device(open_backend_device(info));
}
const DeviceInfo& Device::info() const {
  return state().info();
}
Stream Device::create_stream() const {
  return Stream(state().create_stream());
}
Buffer Device::allocate(std::size_t bytes) const {
  return Buffer(state().allocate(bytes));
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

}  // namespace maxwell_dg::core
