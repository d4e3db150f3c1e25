#pragma once

#include <vector>

#include "core/opencl/handles.hpp"

namespace maxwell_dg::core::opencl {

struct FoundDevice {
  cl_platform_id platform{};
  cl_device_id id{};
  DeviceInfo info;
};

/// Every device that is available and has a compiler. Found once per process.
[[nodiscard]] const std::vector<FoundDevice>& found_devices();

/// The newest OpenCL C that the device compiles, as its option says it: "CL1.2", "CL3.0".
[[nodiscard]] std::string language_version(const FoundDevice& device);

}  // namespace maxwell_dg::core::opencl
