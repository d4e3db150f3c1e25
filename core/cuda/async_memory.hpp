#pragma once

#include <cstddef>

#include "core/device/device.hpp"

/// Memory in the order of a stream, and managed memory where it will be needed next.
namespace maxwell_dg::core::cuda {

/// Memory from the driver's own pool, there for work enqueued on `stream` from now on. When the last handle dies it is
/// freed in the order of `stream`; other streams must be done with it by then. Throws OutOfDeviceMemory.
[[nodiscard]] Buffer allocate_async(const Stream& stream, std::size_t bytes);

/// Gives what the driver's pool keeps beyond `keep_bytes` back.
void trim_async_memory(const Device& device, std::size_t keep_bytes = 0);

/// Where managed memory is wanted.
enum class Place { device, host };
/// Moves managed memory there, in the order of `stream`, before a kernel or the host would fault on it page by page.
void prefetch(const Stream& stream, const HostBuffer& managed, Place to);

/// How managed memory will be used from now on, so that the driver places it well. `place` has no meaning for the first
/// two.
enum class Advice {
  read_mostly,  ///< every reader keeps a copy; a write drops them
  unset_read_mostly,
  preferred_location,  ///< it lies there and does not move unless it must
  unset_preferred_location,
  accessed_by,  ///< it is mapped there all the time, so that an access does not fault
  unset_accessed_by
};
void advise(const Device& device, const HostBuffer& managed, Advice advice, Place place = Place::device);

}  // namespace maxwell_dg::core::cuda
