#pragma once

#include <string_view>

#include "rtcg/array/device_array.hpp"

/// Elements picked out of arrays, in their order. How many there are is known on the device first, so each of these
/// waits for it. Arrays of any shape are taken in C order; the results have one axis.
namespace maxwell_dg::rtcg {

/// Elements for which the expression, of the element `x[i]` and the index `i`, is true: `copy_if(a, "x[i] > 3")`.
/// Throws CompileError.
[[nodiscard]] DeviceArray copy_if(const DeviceArray& array, std::string_view predicate);
/// Those for which it is false.
[[nodiscard]] DeviceArray remove_if(const DeviceArray& array, std::string_view predicate);

struct Partition {
  DeviceArray matching, rest;  ///< two views of one array
};
[[nodiscard]] Partition partition(const DeviceArray& array, std::string_view predicate);

/// Elements where the mask, a bool array of the same size, is true. Throws DtypeError, ShapeError.
[[nodiscard]] DeviceArray compress(const DeviceArray& mask, const DeviceArray& array);

/// The values that occur, each once, in ascending order; all NaNs are one. Throws DtypeError for complex numbers.
[[nodiscard]] DeviceArray unique(const DeviceArray& array);

struct UniqueCounts {
  DeviceArray values;
  DeviceArray counts;  ///< int64: how often each occurs
};
[[nodiscard]] UniqueCounts unique_counts(const DeviceArray& array);

}  // namespace maxwell_dg::rtcg
