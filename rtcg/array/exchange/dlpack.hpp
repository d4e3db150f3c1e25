#pragma once

#include "rtcg/array/device_array.hpp"
#include "rtcg/array/exchange/dlpack_abi.hpp"

/// Arrays of other libraries (PyTorch, CuPy, JAX, NumPy ...) and for them, without a copy.
namespace maxwell_dg::rtcg {

/// When a receiver may use a tensor.
enum class Ready {
  now,   ///< all work on the array that is in its context's stream is done when the call returns
  later  ///< the caller orders the receiver's work behind that stream's
};

/// A tensor over the array's memory, which stays alive until the receiver calls the deleter. Later work must be ordered
/// by its users.
[[nodiscard]] dlpack::VersionedTensor* to_dlpack(const DeviceArray& array, Ready ready = Ready::now);
[[nodiscard]] dlpack::ManagedTensor* to_dlpack_unversioned(const DeviceArray& array, Ready ready = Ready::now);
/// Where the array's memory is.
[[nodiscard]] dlpack::Device dlpack_device(const DeviceArray& array);

/// An array over the tensor's memory when that is on the context's device, else, from host memory, a copy. The tensor
/// is ours from then on: its deleter is called when the last view of the array dies, or after the copy. Throws
/// DtypeError or ArrayError, and then the tensor stays the caller's: an element type that arrays do not have, another
/// device, read-only device memory, a later major version.
[[nodiscard]] DeviceArray from_dlpack(const Context& context, dlpack::VersionedTensor* tensor);
[[nodiscard]] DeviceArray from_dlpack(const Context& context, dlpack::ManagedTensor* tensor);

}  // namespace maxwell_dg::rtcg
