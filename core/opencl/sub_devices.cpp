#include "core/opencl/sub_devices.hpp"

#include <algorithm>
#include <numeric>

#include "core/opencl/of_opencl.hpp"

namespace maxwell_dg::core::opencl {
namespace {

bool divides_by_counts(cl_device_id id) {
  std::size_t bytes = 0;
  check(clGetDeviceInfo(id, CL_DEVICE_PARTITION_PROPERTIES, 0, nullptr, &bytes), "clGetDeviceInfo");
  std::vector<cl_device_partition_property> kinds(bytes / sizeof(cl_device_partition_property));
  check(clGetDeviceInfo(id, CL_DEVICE_PARTITION_PROPERTIES, bytes, kinds.data(), nullptr), "clGetDeviceInfo");
  return std::ranges::find(kinds, CL_DEVICE_PARTITION_BY_COUNTS) != kinds.end();
}

}  // namespace

std::vector<Device> sub_devices(const Device& device, std::span<const int> compute_units) {
  const auto whole = of_opencl<OpenclDevice>(device.state(), "sub-devices").self();
  const DeviceInfo& info = device.info();
  if (!divides_by_counts(whole->id())) {
    throw UnsupportedFeature("OpenCL device '" + info.name +
                             "' cannot be divided into sub-devices of given sizes; use the whole device");
  }
  const int units = std::accumulate(compute_units.begin(), compute_units.end(), 0);
  if (units > info.compute_units || std::ranges::any_of(compute_units, [](int count) { return count < 1; })) {
    throw DeviceError("sub-devices of " + std::to_string(units) + " compute units together, each of 1 at least, of '" +
                      info.name + "', which has " + std::to_string(info.compute_units));
  }
  if (compute_units.empty()) return {};
  std::vector<cl_device_partition_property> how{CL_DEVICE_PARTITION_BY_COUNTS};
  how.insert(how.end(), compute_units.begin(), compute_units.end());
  how.insert(how.end(), {CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  std::vector<cl_device_id> ids(compute_units.size());
  check(clCreateSubDevices(whole->id(), how.data(), static_cast<cl_uint>(ids.size()), ids.data(), nullptr),
        "clCreateSubDevices");
  std::vector<FoundDevice> found;
  for (cl_device_id id : ids) {
    found.push_back({.platform = whole->found().platform,
                     .id = id,
                     .info = describe(whole->found().platform, id, info.index),
                     .part = std::shared_ptr<std::remove_pointer_t<cl_device_id>>(id, Release{})});
  }
  std::vector<Device> parts;
  for (const FoundDevice& part : found) parts.emplace_back(std::make_shared<OpenclDevice>(part));
  return parts;
}

}  // namespace maxwell_dg::core::opencl
