#pragma once

#include "rtcg/array/device_array.hpp"
#include "rtcg/array/sort_source.hpp"

/// Radix sorts of arrays with one axis, stable: what is equal keeps its order. Of reals NaNs come last in either order,
/// and -0 equals 0. New arrays are returned.
namespace maxwell_dg::rtcg {

/// How the work is done; the kernels of a GPU run on a CPU as well, slowly.
enum class SortMethod { automatic, runs, tiles };

struct SortOptions {
  SortOrder order = SortOrder::ascending;
  SortMethod method = SortMethod::automatic;
};

/// Each throws DtypeError for complex keys, ShapeError unless the arrays have one axis and the same length.
[[nodiscard]] DeviceArray sort(const DeviceArray& keys, const SortOptions& options = {});

struct KeysAndValues {
  DeviceArray keys, values;
};
/// The values go where their keys go.
[[nodiscard]] KeysAndValues sort_by_key(const DeviceArray& keys, const DeviceArray& values,
                                        const SortOptions& options = {});

/// int64: element i of the sorted array was element argsort(keys)[i].
[[nodiscard]] DeviceArray argsort(const DeviceArray& keys, const SortOptions& options = {});

}  // namespace maxwell_dg::rtcg
