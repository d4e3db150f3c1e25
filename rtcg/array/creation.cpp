#include <cmath>

#include "rtcg/array/device_array.hpp"
#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"

namespace maxwell_dg::rtcg {

namespace {

// A number as a double that the progression can be counted in.
double finite(const Scalar& number, const char* what) {
  const auto value = number.as<double>();
  if (!std::isfinite(value)) throw ArrayError(std::string(what) + " of arange is " + number.text());
  return value;
}

// z[i] = start + i * step, counted in `counting`.
void count_up(const DeviceArray& z, const Scalar& first, const Scalar& step, Dtype counting) {
  const std::string type = value_type(counting);
  const std::string value = converted("(start + (" + type + ")i * step)", counting, z.dtype());
  ElementwiseKernel({{.name = "start", .dtype = counting},
                     {.name = "step", .dtype = counting},
                     {.name = "z", .dtype = z.dtype(), .kind = Argument::Kind::output}},
                    {.operation = "z[i] = " + value, .name = "count_up"})(first, step, z);
}

Dtype counting_dtype(const Context& context) {
  return context.device().info().has_float64 ? Dtype::float64 : Dtype::float32;
}

}  // namespace

DeviceArray empty(const Context& context, const Shape& shape, Dtype dtype) {
  return {context, context.allocate(byte_count(shape, dtype)), dtype, contiguous_layout(shape)};
}

DeviceArray zeros(const Context& context, const Shape& shape, Dtype dtype) {
  DeviceArray array = empty(context, shape, dtype);
  context.stream().fill_zero(array.buffer());
  return array;
}

DeviceArray full(const Context& context, const Shape& shape, const Scalar& value, Dtype dtype) {
  DeviceArray array = empty(context, shape, dtype);
  array.fill(value);
  return array;
}

DeviceArray ones(const Context& context, const Shape& shape, Dtype dtype) {
  return full(context, shape, 1, dtype);
}

DeviceArray empty_like(const DeviceArray& array) {
  return empty(array.context(), array.shape(), array.dtype());
}

DeviceArray zeros_like(const DeviceArray& array) {
  return zeros(array.context(), array.shape(), array.dtype());
}

DeviceArray ones_like(const DeviceArray& array) {
  return ones(array.context(), array.shape(), array.dtype());
}

DeviceArray full_like(const DeviceArray& array, const Scalar& value) {
  return full(array.context(), array.shape(), value, array.dtype());
}

DeviceArray arange(const Context& context, const Progression& progression, Dtype dtype) {
  const double start = finite(progression.start, "the start"), stop = finite(progression.stop, "the stop");
  const double step = finite(progression.step, "the step");
  if (step == 0) throw ArrayError("the step of arange is 0");
  const double count = std::max(0.0, std::ceil((stop - start) / step));
  if (count >= 0x1p63) throw ShapeError("arange of " + std::to_string(count) + " elements");
  DeviceArray array = empty(context, {static_cast<std::int64_t>(count)}, dtype);
  if (is_integer(dtype)) {
    count_up(array, progression.start.as<std::int64_t>(), progression.step.as<std::int64_t>(), Dtype::int64);
  } else {
    count_up(array, start, step, counting_dtype(context));
  }
  return array;
}

DeviceArray linspace(const Context& context, const Interval& interval, Dtype dtype) {
  if (interval.count < 0) throw ShapeError("linspace of " + std::to_string(interval.count) + " elements");
  if (!is_real(dtype) && !is_complex(dtype)) {
    throw DtypeError("linspace makes real or complex numbers, not " + std::string(name_of(dtype)));
  }
  DeviceArray array = empty(context, {interval.count}, dtype);
  const double gaps = static_cast<double>(std::max<std::int64_t>(1, interval.count - 1));
  count_up(array, interval.start, (interval.stop - interval.start) / gaps, counting_dtype(context));
  if (interval.count > 1) array(-1).fill(interval.stop);  // exactly
  return array;
}

}  // namespace maxwell_dg::rtcg
