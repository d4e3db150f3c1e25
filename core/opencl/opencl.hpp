#pragma once

#include <memory>

#include "core/device/backend.hpp"

/// The OpenCL backend, as core/device sees it. CL/cl.h is included only inside this folder.
namespace maxwell_dg::core::opencl {

/// All devices of all platforms, in the ICD loader's order.
[[nodiscard]] DeviceList list_devices();

[[nodiscard]] std::shared_ptr<DeviceState> open(const DeviceInfo& info, ContextKind kind);

}  // namespace maxwell_dg::core::opencl
