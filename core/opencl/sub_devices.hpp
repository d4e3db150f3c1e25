#pragma once

#include <span>
#include <vector>

#include "core/device/device.hpp"

namespace maxwell_dg::core::opencl {

/// Parts of a device with so many of its compute units each, e.g. to leave cores of a CPU to other work. Each is a
/// device of its own: buffers and streams of one are not another's. Throws UnsupportedFeature where the device cannot
/// be divided so, DeviceError where it has fewer units or a part has none.
[[nodiscard]] std::vector<Device> sub_devices(const Device& device, std::span<const int> compute_units);

}  // namespace maxwell_dg::core::opencl
