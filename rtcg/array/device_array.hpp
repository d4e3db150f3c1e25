#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/device/device.hpp"
#include "core/dtype.hpp"
#include "rtcg/array/context.hpp"
#include "rtcg/array/layout.hpp"
#include "rtcg/array/scalar.hpp"

namespace maxwell_dg::rtcg {

/// Numbers on a device: a buffer, an element type known at run time, and a layout. A cheap handle; copying it copies no
/// numbers. Views share the buffer, so writing through one is seen through all. Work is enqueued in the context's
/// stream; only what brings numbers to the host waits.
///
/// A default-constructed array holds nothing and has no context.
class DeviceArray {
 public:
  DeviceArray() = default;
  /// An array over existing memory. Throws ShapeError when the layout does not lie in the buffer.
  DeviceArray(Context context, core::Buffer buffer, Dtype dtype, Layout layout);

  [[nodiscard]] const Context& context() const;  ///< throws ArrayError when the array holds nothing
  [[nodiscard]] const core::Buffer& buffer() const { return buffer_; }
  [[nodiscard]] Dtype dtype() const { return dtype_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] const Shape& shape() const { return layout_.shape; }
  [[nodiscard]] const std::vector<std::int64_t>& strides() const { return layout_.strides; }  ///< in elements
  [[nodiscard]] std::int64_t offset() const { return layout_.offset; }                        ///< in elements
  [[nodiscard]] std::size_t rank() const { return layout_.rank(); }
  [[nodiscard]] std::int64_t size() const { return layout_.size(); }
  [[nodiscard]] std::size_t size_bytes() const { return byte_count(shape(), dtype_); }
  [[nodiscard]] bool is_contiguous() const { return layout_.is_contiguous(); }

  /// Views: `a(2, Slice{1, 5})`, `a(ellipsis, 0)`, `a(whole, new_axis)`; see Index.
  template <class... Indices>
  [[nodiscard]] DeviceArray operator()(const Indices&... indices) const {
    const std::vector<Index> list{as_index(indices)...};
    return view(indexed(layout_, list));
  }
  [[nodiscard]] DeviceArray at(std::span<const Index> indices) const { return view(indexed(layout_, indices)); }
  [[nodiscard]] DeviceArray transpose() const;  ///< axes in reverse order
  [[nodiscard]] DeviceArray permute(std::span<const std::int64_t> axes) const { return view(permuted(layout_, axes)); }
  [[nodiscard]] DeviceArray permute(std::initializer_list<std::int64_t> axes) const {
    return permute(std::span(axes.begin(), axes.size()));
  }
  [[nodiscard]] DeviceArray broadcast_to(const Shape& shape) const { return view(rtcg::broadcast_to(layout_, shape)); }
  /// One extent may be -1. A view where strides allow it, else a copy.
  [[nodiscard]] DeviceArray reshape(const Shape& shape) const;
  [[nodiscard]] DeviceArray ravel() const { return reshape({-1}); }
  [[nodiscard]] DeviceArray squeeze() const { return view(squeezed(layout_)); }  ///< without axes of extent 1
  /// The same bytes as elements of another type: complex64 as pairs of float32, float32 as its bits. Where the sizes
  /// differ, the last axis is longer or shorter by as much. Throws ShapeError where that does not come out even.
  [[nodiscard]] DeviceArray view_as(Dtype dtype) const {
    return {context(), buffer_, dtype, reinterpreted(layout_, size_of(dtype_), size_of(dtype))};
  }
  [[nodiscard]] DeviceArray view(Layout layout) const { return {context(), buffer_, dtype_, std::move(layout)}; }

  /// A new contiguous array with the same numbers.
  [[nodiscard]] DeviceArray copy() const;
  /// This array when it is contiguous, else a copy.
  [[nodiscard]] DeviceArray contiguous() const { return is_contiguous() ? *this : copy(); }
  /// A copy of another element type, converted as C does: to integers by dropping the fraction, to real by dropping
  /// the imaginary part, to bool by comparing with 0.
  [[nodiscard]] DeviceArray astype(Dtype dtype) const;

  /// Sets every element. The numbers of `values` are converted as in `astype`, and broadcast.
  void assign(const DeviceArray& values) const;
  void fill(const Scalar& value) const;

  /// Copies host numbers in C order into this array; throws DtypeError or ShapeError when type or count differ.
  template <Element T>
  void assign_from_host(std::span<const T> values) const {
    upload(dtype_of<T>, std::as_bytes(values), values.size());
  }
  /// All numbers in C order; throws DtypeError or ShapeError when type or count differ.
  template <Element T>
  void copy_to_host(std::span<T> values) const {
    download(dtype_of<T>, std::as_writable_bytes(values), values.size());
  }
  template <Element T>
  [[nodiscard]] std::vector<T> to_vector() const;
  /// The only number of an array of one element. Throws ShapeError when there are more or none.
  template <Element T>
  [[nodiscard]] T item() const;

 private:
  template <class I>
  static Index as_index(const I& index) {
    if constexpr (std::integral<I>) {
      return static_cast<std::int64_t>(index);
    } else {
      return index;
    }
  }
  void upload(Dtype dtype, std::span<const std::byte> bytes, std::size_t count) const;
  void download(Dtype dtype, std::span<std::byte> bytes, std::size_t count) const;

  std::optional<Context> context_;
  core::Buffer buffer_;
  Dtype dtype_ = Dtype::float64;
  Layout layout_{.shape = {0}, .strides = {1}};
};

template <Element T>
std::vector<T> DeviceArray::to_vector() const {
  if constexpr (std::same_as<T, bool>) {  // whose vector has no memory to copy to
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size()));
    download(Dtype::boolean, std::as_writable_bytes(std::span(bytes)), bytes.size());
    return {bytes.begin(), bytes.end()};
  } else {
    std::vector<T> values(static_cast<std::size_t>(size()));
    copy_to_host(std::span<T>(values));
    return values;
  }
}

template <Element T>
T DeviceArray::item() const {
  T value{};
  copy_to_host(std::span<T>(&value, 1));
  return value;
}

/// New contiguous arrays. Each throws ShapeError when the shape is negative or overflows, OutOfDeviceMemory when memory
/// is short.
[[nodiscard]] DeviceArray empty(const Context& context, const Shape& shape, Dtype dtype);
[[nodiscard]] DeviceArray zeros(const Context& context, const Shape& shape, Dtype dtype);
[[nodiscard]] DeviceArray full(const Context& context, const Shape& shape, const Scalar& value, Dtype dtype);
[[nodiscard]] DeviceArray ones(const Context& context, const Shape& shape, Dtype dtype);
/// Of the shape and dtype of another.
[[nodiscard]] DeviceArray empty_like(const DeviceArray& array);
[[nodiscard]] DeviceArray zeros_like(const DeviceArray& array);
[[nodiscard]] DeviceArray ones_like(const DeviceArray& array);
[[nodiscard]] DeviceArray full_like(const DeviceArray& array, const Scalar& value);
/// start, start + step, ... before stop. Throws ArrayError when the step is 0.
struct Progression {
  Scalar start = 0;
  Scalar stop = 0;
  Scalar step = 1;
};
[[nodiscard]] DeviceArray arange(const Context& context, const Progression& progression, Dtype dtype);
/// `count` numbers from start to stop, both included; `dtype` real or complex, else DtypeError.
struct Interval {
  double start = 0;
  double stop = 1;
  std::int64_t count = 50;
};
[[nodiscard]] DeviceArray linspace(const Context& context, const Interval& interval, Dtype dtype);

/// A copy of host numbers in C order; of a vector, a shape that is left out is one axis.
template <Element T>
[[nodiscard]] DeviceArray to_device(const Context& context, std::span<const T> values, const Shape& shape) {
  DeviceArray array = empty(context, shape, dtype_of<T>);
  array.assign_from_host(values);
  return array;
}
template <Element T>
[[nodiscard]] DeviceArray to_device(const Context& context, const std::vector<T>& values, const Shape& shape) {
  if constexpr (std::same_as<T, bool>) {  // whose vector holds bits
    const auto flags = std::make_unique<bool[]>(values.size());
    std::ranges::copy(values, flags.get());
    return to_device(context, std::span<const bool>(flags.get(), values.size()), shape);
  } else {
    return to_device(context, std::span<const T>(values), shape);
  }
}
template <Element T>
[[nodiscard]] DeviceArray to_device(const Context& context, const std::vector<T>& values) {
  return to_device(context, values, {static_cast<std::int64_t>(values.size())});
}

}  // namespace maxwell_dg::rtcg
