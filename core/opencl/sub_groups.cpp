#include "core/opencl/sub_groups.hpp"

#include "core/opencl/of_opencl.hpp"

namespace maxwell_dg::core::opencl {

SubGroups sub_groups(const Kernel& kernel, const std::array<std::size_t, 3>& group_size) {
  const auto& function = of_opencl<OpenclKernel>(kernel.state(), "sub-groups under this name (its warps have 32)");
  const OpenclDevice& device = *function.device();
  if (device_property_or<cl_uint>(device.id(), CL_DEVICE_MAX_NUM_SUB_GROUPS, 0) == 0) {
    throw UnsupportedFeature("OpenCL device '" + device.info().name +
                             "' has no sub-groups; exchange values through shared memory");
  }
  const auto query = [&](cl_kernel_sub_group_info what) {
    std::size_t value = 0;
    check(clGetKernelSubGroupInfo(function.get(), device.id(), what, sizeof group_size, group_size.data(), sizeof value,
                                  &value, nullptr),
          "clGetKernelSubGroupInfo", "kernel '" + kernel.name() + "'");
    return value;
  };
  return {.size = query(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE),
          .count = query(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE)};
}

}  // namespace maxwell_dg::core::opencl
