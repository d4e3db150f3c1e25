#include "rtcg/array/device_array.hpp"

#include <numeric>

#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/error.hpp"

namespace maxwell_dg::rtcg {

DeviceArray::DeviceArray(Context context, core::Buffer buffer, Dtype dtype, Layout layout)
    : context_(std::move(context)), buffer_(std::move(buffer)), dtype_(dtype), layout_(std::move(layout)) {
  const auto [begin, end] = extent_of(layout_);
  const auto elements = static_cast<std::int64_t>(buffer_.size_bytes() / size_of(dtype));
  if (begin < 0 || end > elements) {
    throw ShapeError("an array of shape " + to_string(shape()) + " reaches from element " + std::to_string(begin) +
                     " to " + std::to_string(end) + " of a buffer of " + std::to_string(elements));
  }
}

const Context& DeviceArray::context() const {
  if (!context_) throw ArrayError("an array that holds nothing was used; make one with zeros, to_device ...");
  return *context_;
}

DeviceArray DeviceArray::transpose() const {
  std::vector<std::int64_t> axes(rank());
  std::iota(axes.rbegin(), axes.rend(), 0);
  return permute(axes);
}

DeviceArray DeviceArray::reshape(const Shape& shape) const {
  const Shape complete = completed_shape(shape, size());
  if (const auto layout = reshaped(layout_, complete)) return view(*layout);
  return copy().view(contiguous_layout(complete));
}

DeviceArray DeviceArray::copy() const {
  return astype(dtype_);
}

DeviceArray DeviceArray::astype(Dtype dtype) const {
  DeviceArray result = empty(context(), shape(), dtype);
  result.assign(*this);
  return result;
}

void DeviceArray::assign(const DeviceArray& values) const {
  if (values.dtype() == dtype_ && values.shape() == shape() && is_contiguous() && values.is_contiguous()) {
    const std::size_t size = size_of(dtype_);
    context().stream().copy(values.buffer(), values.offset() * size, buffer_, offset() * size, size_bytes());
    return;
  }
  convert(values.broadcast_to(shape()), *this);
}

void DeviceArray::fill(const Scalar& value) const {
  fill_with(value, *this);
}

void DeviceArray::upload(Dtype dtype, std::span<const std::byte> bytes, std::size_t count) const {
  if (dtype != dtype_) {
    throw DtypeError("host numbers of type " + std::string(name_of(dtype)) + " for an array of " +
                     std::string(name_of(dtype_)) + "; convert with astype");
  }
  if (count != static_cast<std::size_t>(size())) {
    throw ShapeError(std::to_string(count) + " host numbers for an array of shape " + to_string(shape()));
  }
  if (!is_contiguous()) {
    const DeviceArray packed = empty(context(), shape(), dtype_);
    packed.upload(dtype, bytes, count);
    assign(packed);
    return;
  }
  const core::Stream& stream = context().stream();
  stream.write(buffer_, offset() * size_of(dtype_), bytes);
  stream.synchronize();
}

void DeviceArray::download(Dtype dtype, std::span<std::byte> bytes, std::size_t count) const {
  if (dtype != dtype_) {
    throw DtypeError("an array of " + std::string(name_of(dtype_)) + " was read as " + std::string(name_of(dtype)) +
                     "; convert with astype");
  }
  if (count != static_cast<std::size_t>(size())) {
    throw ShapeError("an array of shape " + to_string(shape()) + " was read as " + std::to_string(count) + " numbers");
  }
  const DeviceArray packed = contiguous();
  const core::Stream& stream = packed.context().stream();
  stream.read(packed.buffer(), packed.offset() * size_of(dtype_), bytes);
  stream.synchronize();
}

}  // namespace maxwell_dg::rtcg
