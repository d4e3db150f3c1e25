#pragma once

#include <vector>

#include "core/opencl/handles.hpp"

namespace maxwell_dg::core::opencl {

struct FoundDevice {
  cl_platform_id platform{};
  cl_device_id id{};
  DeviceInfo info;
  std::shared_ptr<std::remove_pointer_t<cl_device_id>> part{};  ///< keeps `id` where it is a part of a device
};

/// Every device that is available and has a compiler. Found once per process.
[[nodiscard]] const std::vector<FoundDevice>& found_devices();

[[nodiscard]] DeviceInfo describe(cl_platform_id platform, cl_device_id id, int index);

/// The newest OpenCL C that the device compiles, as its option says it: "CL1.2", "CL3.0".
[[nodiscard]] std::string language_version(const FoundDevice& device);

}  // namespace maxwell_dg::core::opencl
