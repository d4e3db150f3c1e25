#include "core/opencl/platform.hpp"

#include <algorithm>
#include <cstdio>

#include "core/opencl/host_processor.hpp"
#include "core/opencl/pocl.hpp"

namespace maxwell_dg::core::opencl {
namespace {

constexpr cl_device_info kWarpSizeNvidia = 0x4003;  // CL_DEVICE_WARP_SIZE_NV
constexpr cl_int kNoPlatform = -1001;               // CL_PLATFORM_NOT_FOUND_KHR: no driver is installed

// The ICD loader says kNoPlatform, or zero platforms, when no driver is installed.
std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  const cl_int code = clGetPlatformIDs(0, nullptr, &count);
  if (code == kNoPlatform || count == 0) return {};
  check(code, "clGetPlatformIDs");
  std::vector<cl_platform_id> ids(count);
  check(clGetPlatformIDs(count, ids.data(), nullptr), "clGetPlatformIDs");
  return ids;
}

std::vector<cl_device_id> devices_of(cl_platform_id platform) {
  cl_uint count = 0;
  const cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (code == CL_DEVICE_NOT_FOUND || count == 0) return {};
  check(code, "clGetDeviceIDs");
  std::vector<cl_device_id> ids(count);
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr), "clGetDeviceIDs");
  return ids;
}

int warp_size(cl_device_id id, bool is_cpu) {
  if (is_cpu) return 1;
  const auto nvidia = device_property_or<cl_uint>(id, kWarpSizeNvidia, 0);
  if (nvidia != 0) return static_cast<int>(nvidia);
  return static_cast<int>(device_property_or<std::size_t>(id, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 32));
}

std::vector<FoundDevice> find_devices() {
  const PrivatePoclCache cache;
  std::vector<FoundDevice> found;
  for (cl_platform_id platform : platforms()) {
    for (cl_device_id id : devices_of(platform)) {
      if (device_property<cl_bool>(id, CL_DEVICE_AVAILABLE) == CL_FALSE) continue;
      if (device_property<cl_bool>(id, CL_DEVICE_COMPILER_AVAILABLE) == CL_FALSE) continue;
      found.push_back({.platform = platform, .id = id, .info = describe(platform, id, static_cast<int>(found.size()))});
    }
  }
  return found;
}

}  // namespace

DeviceInfo describe(cl_platform_id platform, cl_device_id id, int index) {
  const bool is_cpu = (device_property<cl_device_type>(id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  const auto float_lanes = device_property<cl_uint>(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  return DeviceInfo{
      .backend = Backend::opencl,
      .index = index,
      .name = device_text(id, CL_DEVICE_NAME),
      .driver = platform_text(platform, CL_PLATFORM_NAME) + ", " + platform_text(platform, CL_PLATFORM_VERSION) +
                ", driver " + device_text(id, CL_DRIVER_VERSION),
      .architecture = device_text(id, CL_DEVICE_VERSION),
      .processor = is_cpu ? host_processor() : "",
      .memory_bytes = static_cast<std::size_t>(device_property<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE)),
      .compute_units = static_cast<int>(device_property<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS)),
      .warp_size = warp_size(id, is_cpu),
      .vector_bytes = is_cpu ? static_cast<int>(float_lanes * sizeof(float)) : 0,
      .shared_memory_bytes = static_cast<std::size_t>(device_property<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE)),
      .max_group_size = device_property<std::size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE),
      .is_cpu = is_cpu,
      .has_float64 = device_property_or<cl_device_fp_config>(id, CL_DEVICE_DOUBLE_FP_CONFIG, 0) != 0,
      .has_float16 = device_text(id, CL_DEVICE_EXTENSIONS).find("cl_khr_fp16") != std::string::npos,
  };
}

const std::vector<FoundDevice>& found_devices() {
  static const std::vector<FoundDevice> devices = find_devices();
  return devices;
}

std::string language_version(const FoundDevice& device) {
  int major = 1;
  int minor = 2;
  // "OpenCL C 1.2 vendor's words"; 3.0 devices answer 1.2 here and the truth in the list.
  const std::string said = device_text(device.id, CL_DEVICE_OPENCL_C_VERSION);
  if (std::sscanf(said.c_str(), "OpenCL C %d.%d", &major, &minor) != 2) return "CL1.2";
  std::size_t bytes = 0;
  if (clGetDeviceInfo(device.id, CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, nullptr, &bytes) == CL_SUCCESS) {
    std::vector<cl_name_version> versions(bytes / sizeof(cl_name_version));
    check(clGetDeviceInfo(device.id, CL_DEVICE_OPENCL_C_ALL_VERSIONS, versions.size() * sizeof(cl_name_version),
                          versions.data(), nullptr),
          "clGetDeviceInfo");
    for (const cl_name_version& entry : versions) {
      const auto entry_major = static_cast<int>(entry.version >> 22);
      const auto entry_minor = static_cast<int>((entry.version >> 12) & 0x3ff);
      if (std::pair(entry_major, entry_minor) > std::pair(major, minor)) {
        major = entry_major;
        minor = entry_minor;
      }
    }
  }
  return "CL" + std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace maxwell_dg::core::opencl
