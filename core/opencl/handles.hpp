#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/device/backend.hpp"
#include "core/opencl/calls.hpp"

/// cl.h with owners and errors.
namespace maxwell_dg::core::opencl {

/// Throws DriverError (OutOfDeviceMemory where that is what the code says) unless `code` is CL_SUCCESS. `remedy` is one
/// clause, put before what is known to help.
void check(cl_int code, const char* call, const std::string& remedy = {});

struct Release {
  void operator()(cl_device_id p) const noexcept { clReleaseDevice(p); }
  void operator()(cl_context p) const noexcept { clReleaseContext(p); }
  void operator()(cl_command_queue p) const noexcept { clReleaseCommandQueue(p); }
  void operator()(cl_mem p) const noexcept { clReleaseMemObject(p); }
  void operator()(cl_program p) const noexcept { clReleaseProgram(p); }
  void operator()(cl_kernel p) const noexcept { clReleaseKernel(p); }
  void operator()(cl_event p) const noexcept { clReleaseEvent(p); }
};

/// Owns one reference to an OpenCL object, e.g. Owned<cl_mem>.
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release>;

/// A device's property of plain type.
template <class T>
[[nodiscard]] T device_property(cl_device_id device, cl_device_info what) {
  T value{};
  check(clGetDeviceInfo(device, what, sizeof(T), &value, nullptr), "clGetDeviceInfo");
  return value;
}

/// The same for a property that older devices do not know.
template <class T>
[[nodiscard]] T device_property_or(cl_device_id device, cl_device_info what, T otherwise) {
  T value{};
  return clGetDeviceInfo(device, what, sizeof(T), &value, nullptr) == CL_SUCCESS ? value : otherwise;
}

[[nodiscard]] std::string device_text(cl_device_id device, cl_device_info what);
[[nodiscard]] std::string platform_text(cl_platform_id platform, cl_platform_info what);

}  // namespace maxwell_dg::core::opencl
