#include "core/device/kernel.hpp"

#include "core/device/backend.hpp"
#include "core/device/handles.hpp"
#include "core/device/prepared_launch.hpp"

namespace maxwell_dg::core {
namespace {

bool is_empty(const LaunchShape& shape) {
  return shape.groups[0] == 0 || shape.groups[1] == 0 || shape.groups[2] == 0;
}

}  // namespace

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

KernelState& Kernel::state() const {
  return used(state_, "Kernel");
}
ModuleState& Module::state() const {
  return used(state_, "Module");
}

void Kernel::launch(const Stream& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) const {
  KernelState& kernel = state();
  check_shape(kernel, shape);
  if (is_empty(shape)) return;
  kernel.launch(stream.state(), shape, arguments);
}
const std::string& Kernel::name() const {
  return state().name();
}
KernelAttributes Kernel::attributes() const {
  return state().attributes();
}
std::size_t Kernel::suggested_group_size(std::size_t dynamic_shared_bytes) const {
  return state().suggested_group_size(dynamic_shared_bytes);
}
std::uintptr_t Kernel::raw() const {
  return state().raw();
}

Kernel Module::kernel(const std::string& name) const {
  return Kernel(state().kernel(name));
}
Buffer Module::global(const std::string& name) const {
  return Buffer(state().global(name));
}
std::uintptr_t Module::raw() const {
  return state().raw();
}

DeviceError wrong_index(const std::string& kernel, std::size_t index, std::size_t count) {
  return DeviceError("kernel '" + kernel + "' has no argument " + std::to_string(index) + "; it takes " +
                     std::to_string(count) + ", counted from 0");
}

PreparedLaunch::PreparedLaunch(const Kernel& kernel, const LaunchShape& shape,
                               std::span<const KernelArgument> arguments) {
  check_shape(kernel.state(), shape);
  state_ = kernel.state().prepare(shape, arguments);
  if (is_empty(shape)) state_.reset();
}
PreparedLaunch::PreparedLaunch(PreparedLaunch&&) noexcept = default;
PreparedLaunch& PreparedLaunch::operator=(PreparedLaunch&&) noexcept = default;
PreparedLaunch::~PreparedLaunch() = default;

void PreparedLaunch::set(std::size_t index, const KernelArgument& argument) {
  if (state_ != nullptr) state_->set(index, argument);
}
void PreparedLaunch::launch(const Stream& stream) const {
  StreamState& queue = stream.state();
  if (state_ != nullptr) state_->launch(queue);
}

}  // namespace maxwell_dg::core
