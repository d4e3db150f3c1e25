#pragma once

#include <cstdint>
#include <span>

#include "rtcg/array/device_array.hpp"

/// Elements by their numbers, and arrays put side by side.
namespace maxwell_dg::rtcg {

/// What becomes of an index outside of the axis; negative ones down to -extent count from its end in any case.
enum class OutOfRange {
  error,  ///< IndexError, which costs a pass over the indices and a wait for it
  wrap,   ///< modulo the extent
  clip    ///< the nearest end
};
struct TakeOptions {
  std::int64_t axis = 0;
  OutOfRange out_of_range = OutOfRange::error;
};
/// The elements (of one axis: the subarrays) with the given numbers: shape of `a`, its axis replaced by the shape of
/// `indices`. Throws DtypeError when the indices are not integers.
[[nodiscard]] DeviceArray take(const DeviceArray& a, const DeviceArray& indices, const TakeOptions& options = {});

/// a.ravel()[indices] = values, in place; values broadcast to the shape of the indices and are converted. Where an
/// index occurs twice, either value stays. Throws ShapeError when `a` is not contiguous.
void put(const DeviceArray& a, const DeviceArray& indices, const DeviceArray& values,
         OutOfRange out_of_range = OutOfRange::error);

/// Joined along an axis that they have; all other extents equal. In the common dtype. Throws ShapeError.
[[nodiscard]] DeviceArray concatenate(std::span<const DeviceArray> arrays, std::int64_t axis = 0);
[[nodiscard]] DeviceArray concatenate(std::initializer_list<DeviceArray> arrays, std::int64_t axis = 0);
/// Joined along a new axis; all of one shape.
[[nodiscard]] DeviceArray stack(std::span<const DeviceArray> arrays, std::int64_t axis = 0);
[[nodiscard]] DeviceArray stack(std::initializer_list<DeviceArray> arrays, std::int64_t axis = 0);

}  // namespace maxwell_dg::rtcg
