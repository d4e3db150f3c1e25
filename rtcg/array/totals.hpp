#pragma once

#include "rtcg/array/lazy.hpp"
#include "rtcg/array/reduction.hpp"

/// What NumPy makes of all elements of an array, or of those along some axes: `sum(a)`, `max(a, {.axes = {{0}}})`.
/// The result is an array of the shape that is left; `.item<T>()` brings a single number to the host. What is reduced
/// may be a formula, which is then computed on the way: `sum(square(lazy(x) - y))` is one pass over x and y.
namespace maxwell_dg::rtcg {

/// In int64 or uint64 for integers and bool, else in the array's dtype (float16: in float32, rounded at the end).
[[nodiscard]] DeviceArray sum(const Lazy& a, const ReductionKernel::Options& options = {});
[[nodiscard]] DeviceArray prod(const Lazy& a, const ReductionKernel::Options& options = {});

/// In float64 for integers and bool. Of no elements: NaN.
[[nodiscard]] DeviceArray mean(const Lazy& a, const ReductionKernel::Options& options = {});
/// Mean square of the distance to the mean; in two passes.
[[nodiscard]] DeviceArray variance(const Lazy& a, const ReductionKernel::Options& options = {});

/// A NaN wins. Throw ShapeError when there are no elements, DtypeError for complex numbers.
[[nodiscard]] DeviceArray min(const Lazy& a, const ReductionKernel::Options& options = {});
[[nodiscard]] DeviceArray max(const Lazy& a, const ReductionKernel::Options& options = {});
/// int64: where the extreme stands first, counted in C order along the reduced axes.
[[nodiscard]] DeviceArray argmin(const Lazy& a, const ReductionKernel::Options& options = {});
[[nodiscard]] DeviceArray argmax(const Lazy& a, const ReductionKernel::Options& options = {});

/// bool: some, or every element is not 0.
[[nodiscard]] DeviceArray any(const Lazy& a, const ReductionKernel::Options& options = {});
[[nodiscard]] DeviceArray all(const Lazy& a, const ReductionKernel::Options& options = {});
[[nodiscard]] DeviceArray count_nonzero(const Lazy& a, const ReductionKernel::Options& options = {});

/// Sum of products, no argument conjugated; of two arrays of one shape, in their common dtype. Throws ShapeError.
[[nodiscard]] DeviceArray dot(const Lazy& a, const Lazy& b);
/// Root of the sum of squared absolute values; real. Squares that overflow make it infinite.
[[nodiscard]] DeviceArray norm(const Lazy& a, const ReductionKernel::Options& options = {});

}  // namespace maxwell_dg::rtcg
