#include "core/cuda/function.hpp"

#include "core/cuda/of_cuda.hpp"

namespace maxwell_dg::core::cuda {
namespace {

constexpr const char* kFunction = "attributes and occupancy of functions";

}  // namespace

FunctionAttributes function_attributes(const Kernel& kernel) {
  const CudaKernel& function = cuda_kernel(kernel, kFunction);
  const Current current(function.device());
  const auto get = [&](CUfunction_attribute what) {
    int value = 0;
    check(driver().cuFuncGetAttribute(&value, what, function.get()), "cuFuncGetAttribute");
    return value;
  };
  const auto bytes = [&](CUfunction_attribute what) { return static_cast<std::size_t>(get(what)); };
  return {.registers = get(CU_FUNC_ATTRIBUTE_NUM_REGS),
          .shared_bytes = bytes(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
          .constant_bytes = bytes(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES),
          .local_bytes = bytes(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
          .max_block_threads = bytes(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
          .max_dynamic_shared_bytes = bytes(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES),
          .shared_carveout_percent = get(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT),
          .ptx_version = get(CU_FUNC_ATTRIBUTE_PTX_VERSION),
          .binary_version = get(CU_FUNC_ATTRIBUTE_BINARY_VERSION)};
}

void set_max_dynamic_shared(const Kernel& kernel, std::size_t bytes) {
  cuda_kernel(kernel, kFunction).allow_dynamic_shared(bytes);
}

void set_shared_carveout(const Kernel& kernel, int percent) {
  const CudaKernel& function = cuda_kernel(kernel, kFunction);
  const Current current(function.device());
  check(driver().cuFuncSetAttribute(function.get(), CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, percent),
        "cuFuncSetAttribute",
        "kernel '" + kernel.name() + "': a carveout of " + std::to_string(percent) + " percent; 0 to 100, or -1");
}

std::size_t active_groups(const Kernel& kernel, std::size_t group_size, std::size_t dynamic_shared_bytes) {
  CudaKernel& function = cuda_kernel(kernel, kFunction);
  if (group_size == 0 || group_size > function.limits().group_items) {
    throw DeviceError("kernel '" + kernel.name() + "': a group of " + std::to_string(group_size) +
                      " work-items; it may have 1 to " + std::to_string(function.limits().group_items));
  }
  if (dynamic_shared_bytes != 0) function.allow_dynamic_shared(dynamic_shared_bytes);
  const Current current(function.device());
  int groups = 0;
  check(driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(&groups, function.get(), static_cast<int>(group_size),
                                                             dynamic_shared_bytes),
        "cuOccupancyMaxActiveBlocksPerMultiprocessor", "kernel '" + kernel.name() + "'");
  return static_cast<std::size_t>(groups);
}

double occupancy(const Kernel& kernel, std::size_t group_size, std::size_t dynamic_shared_bytes) {
  const auto threads = static_cast<double>(active_groups(kernel, group_size, dynamic_shared_bytes) * group_size);
  return threads /
         cuda_kernel(kernel, kFunction).device().attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
}

std::size_t max_cooperative_groups(const Kernel& kernel, std::size_t group_size, std::size_t dynamic_shared_bytes) {
  const auto units = static_cast<std::size_t>(cuda_kernel(kernel, kFunction).device().info().compute_units);
  return units * active_groups(kernel, group_size, dynamic_shared_bytes);
}

}  // namespace maxwell_dg::core::cuda
