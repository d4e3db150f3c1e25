#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device/device.hpp"

/// Devices for several processes of a host.
namespace maxwell_dg::core {

/// What `cuda:all` or `opencl:all` stands for, in their order; nothing for another SPEC. Throws DeviceError where there
/// are none.
[[nodiscard]] std::optional<std::vector<DeviceInfo>> all_devices(std::string_view spec);

/// What tells a device from the others of this host whatever a process sees of them: the UUID of a GPU, or of an
/// instance of it that NVIDIA's MIG gives; the number of an OpenCL device.
[[nodiscard]] std::string identity_of(const DeviceInfo& info);

/// [process] the number of the device that it takes, of [process][device] what tells apart those that it sees: the
/// first one that no process before it has taken. Nothing where one is left without.
[[nodiscard]] std::optional<std::vector<std::size_t>> shared_out(const std::vector<std::vector<std::string>>& seen);

}  // namespace maxwell_dg::core
