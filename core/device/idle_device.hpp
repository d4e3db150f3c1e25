#pragma once

#include "core/device/device.hpp"

namespace maxwell_dg::core {

/// A device that says of itself what `like` says, takes every call and does nothing: allocations take no memory,
/// whatever it is told to load has every kernel, launches and copies do nothing, and what is read from it is zero. It
/// compiles nothing: Device::build throws DeviceError. To see what a program would ask of a device.
[[nodiscard]] Device idle_device(const Device& like);

}  // namespace maxwell_dg::core
