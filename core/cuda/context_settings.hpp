#pragma once

#include <cstddef>

#include "core/device/device.hpp"

/// What all kernels of a CUDA context share, and may be given more of.
namespace maxwell_dg::core::cuda {

enum class Limit {
  stack,  ///< bytes of a thread's stack
  print,  ///< bytes that wait for the host when kernels call printf; what is more is lost
  heap    ///< bytes that kernels get by malloc
};
[[nodiscard]] std::size_t limit(const Device& device, Limit which);
/// The driver may grant more. Throws DriverError where it refuses, as for `print` and `heap` once a kernel that prints
/// or allocates has run.
void set_limit(const Device& device, Limit which, std::size_t bytes);

/// How the memory that shared memory and first-level cache divide is divided where a kernel does not care (see
/// set_shared_carveout). Devices that always have both take no notice.
enum class CachePreference { none, shared, cache, equal };
[[nodiscard]] CachePreference cache_preference(const Device& device);
void set_cache_preference(const Device& device, CachePreference preference);

}  // namespace maxwell_dg::core::cuda
