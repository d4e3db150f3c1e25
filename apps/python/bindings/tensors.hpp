#pragma once

#include <optional>

#include <nanobind/nanobind.h>

#include "rtcg/array/device_array.hpp"

/// Arrays of devices as other libraries of Python know them.
namespace maxwell_dg::python {

/// What `__dlpack__` of the Python array API standard returns: a capsule over the array's memory. `stream` is the
/// receiver's, as the standard numbers CUDA's: none or 1 the default one, 2 the one of each thread, -1 none that is to
/// wait; what it does next comes after the work on the array. `max_version`: (major, minor), or None. Throws
/// BufferError for another device than the array's.
[[nodiscard]] nanobind::object dlpack_of(const rtcg::DeviceArray& array, std::optional<long> stream,
                                         nanobind::handle max_version, nanobind::handle dl_device,
                                         std::optional<bool> copy);
[[nodiscard]] nanobind::object dlpack_device_of(const rtcg::DeviceArray& array);
/// An array over what an object with `__dlpack__` has; from the host's memory, a copy.
[[nodiscard]] rtcg::DeviceArray from_dlpack(const rtcg::Context& context, nanobind::handle object);

/// Its numbers as a new NumPy array.
[[nodiscard]] nanobind::object numpy_of(const rtcg::DeviceArray& array);
/// A copy on the device of a NumPy array in C order.
[[nodiscard]] rtcg::DeviceArray on_device(const rtcg::Context& context, nanobind::handle numpy_array);
/// A NumPy array over memory that `keeper`, deleted with the last view, keeps alive.
[[nodiscard]] nanobind::object numpy_view(void* data, const rtcg::Shape& shape, Dtype dtype,
                                          const nanobind::capsule& keeper);

}  // namespace maxwell_dg::python
