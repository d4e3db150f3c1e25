#pragma once

#include <string>

#include "core/device/device.hpp"

namespace maxwell_dg::core {

/// What opens the device again, and what configs call it: "cuda:0", "opencl:1".
[[nodiscard]] std::string spec_of(const DeviceInfo& info);

}  // namespace maxwell_dg::core
