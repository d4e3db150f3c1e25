#pragma once

#include <vector>

#include <nanobind/nanobind.h>

#include "core/device/kernel.hpp"
#include "rtcg/array/context.hpp"
#include "rtcg/array/device_array.hpp"

/// What kernels are launched with.
namespace maxwell_dg::python {

/// A kernel, and the context whose stream it goes to.
struct LoadedKernel {
  rtcg::Context context;
  core::Kernel kernel;
};

/// Ints or up to three of them each.
[[nodiscard]] core::LaunchShape launch_shape_of(nanobind::handle groups, nanobind::handle group_size);
/// Contiguous Arrays, and numbers of NumPy, whose types are the kernel's. Throws nb::type_error for anything else,
/// ArrayError for an array that is not contiguous.
[[nodiscard]] std::vector<core::KernelArgument> kernel_arguments_of(nanobind::handle arguments);
/// The memory of a contiguous array from its first element on.
[[nodiscard]] core::Buffer memory_of(const rtcg::DeviceArray& array);

}  // namespace maxwell_dg::python
