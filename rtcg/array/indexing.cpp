#include "rtcg/array/indexing.hpp"

#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/array/totals.hpp"

namespace maxwell_dg::rtcg {

namespace {

void check_indices(const DeviceArray& indices, std::int64_t extent, OutOfRange out_of_range) {
  if (!is_integer(indices.dtype())) {
    throw DtypeError("indices are integers, not " + std::string(name_of(indices.dtype())));
  }
  if (indices.size() == 0) return;
  if (extent == 0) throw IndexError("an axis of extent 0 has nothing to take");
  if (out_of_range != OutOfRange::error) return;
  const DeviceArray wide = indices.astype(Dtype::int64);
  const auto lowest = min(wide).item<std::int64_t>(), highest = max(wide).item<std::int64_t>();
  if (lowest >= -extent && highest < extent) return;
  throw IndexError("index " + std::to_string(lowest < -extent ? lowest : highest) +
                   " is outside of an axis of extent " + std::to_string(extent));
}

// Declares `at`, the element's number, from the expression of an index.
std::string position(const std::string& index, OutOfRange out_of_range) {
  const std::string start = "int64 at = (int64)" + index + ";\n";
  switch (out_of_range) {
    case OutOfRange::wrap: return start + "at %= extent;\nif (at < 0) at += extent;\n";
    case OutOfRange::clip:
      return start + "if (at < 0) at += extent;\nat = at < 0 ? 0 : at < extent ? at : extent - 1;\n";
    case OutOfRange::error: break;
  }
  return start + "if (at < 0) at += extent;\n";
}

Argument input(const char* name, Dtype dtype) {
  return {.name = name, .dtype = dtype, .kind = Argument::Kind::input};
}
Argument output(const char* name, Dtype dtype) {
  return {.name = name, .dtype = dtype, .kind = Argument::Kind::output};
}

std::int64_t product(std::span<const std::int64_t> extents) {
  return element_count(Shape(extents.begin(), extents.end()));
}

}  // namespace

DeviceArray take(const DeviceArray& a, const DeviceArray& indices, const TakeOptions& options) {
  const std::size_t axis = checked_axis(options.axis, a.rank());
  const std::int64_t extent = a.shape()[axis];
  check_indices(indices, extent, options.out_of_range);
  const std::span<const std::int64_t> shape(a.shape());
  const std::int64_t outer = product(shape.first(axis)), inner = product(shape.subspan(axis + 1));
  Shape result_shape(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(axis));
  result_shape.insert(result_shape.end(), indices.shape().begin(), indices.shape().end());
  result_shape.insert(result_shape.end(), shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape.end());
  DeviceArray result = empty(a.context(), result_shape, a.dtype());
  // Both as (outer, the axis, inner); an index is read once for each element that it moves.
  const DeviceArray blocks = result.reshape({outer, indices.size(), inner});
  const DeviceArray numbers = indices.ravel()(new_axis, whole, new_axis);
  const std::string from = loaded("a[(i / block * extent + at) * inner + i % inner]", a.dtype());
  const ElementwiseKernel kernel(
      {input("a", a.dtype()),
       input("number", indices.dtype()),
       output("z", a.dtype()),
       {.name = "extent", .dtype = Dtype::int64},
       {.name = "inner", .dtype = Dtype::int64},
       {.name = "block", .dtype = Dtype::int64}},
      {.operation = position("number[i]", options.out_of_range) + "z[i] = " + from + ";", .name = "take"});
  kernel(a.contiguous(), numbers, blocks, extent, inner, indices.size() * inner);
  return result;
}

void put(const DeviceArray& a, const DeviceArray& indices, const DeviceArray& values, OutOfRange out_of_range) {
  if (!a.is_contiguous()) throw ShapeError("put needs a contiguous array, so that its elements have numbers");
  check_indices(indices, a.size(), out_of_range);
  const std::string value = stored(converted("v[i]", values.dtype(), a.dtype()), a.dtype());
  const ElementwiseKernel kernel(
      {output("a", a.dtype()),
       input("number", indices.dtype()),
       input("v", values.dtype()),
       {.name = "extent", .dtype = Dtype::int64}},
      {.operation = position("number[i]", out_of_range) + "a[at] = " + value + ";", .name = "put"});
  kernel(a, indices, values.broadcast_to(indices.shape()), a.size());
}

DeviceArray concatenate(std::span<const DeviceArray> arrays, std::int64_t given_axis) {
  if (arrays.empty()) throw ArrayError("concatenate of no arrays");
  const DeviceArray& first = arrays.front();
  const std::size_t axis = checked_axis(given_axis, first.rank());
  Shape shape = first.shape();
  Dtype dtype = first.dtype();
  for (const DeviceArray& array : arrays.subspan(1)) {
    Shape expected = first.shape();
    if (array.rank() == first.rank()) expected[axis] = array.shape()[axis];
    if (array.shape() != expected) {
      throw ShapeError("concatenate of shapes " + to_string(first.shape()) + " and " + to_string(array.shape()) +
                       " along axis " + std::to_string(axis) + "; all other extents must be equal");
    }
    shape[axis] += array.shape()[axis];
    dtype = promote(dtype, array.dtype());
  }
  DeviceArray result = empty(first.context(), shape, dtype);
  std::vector<Index> place(axis, whole);
  place.emplace_back(Slice{});
  std::int64_t begin = 0;
  for (const DeviceArray& array : arrays) {
    const std::int64_t end = begin + array.shape()[axis];
    place.back() = Slice{.start = begin, .stop = end};
    result.at(place).assign(array);
    begin = end;
  }
  return result;
}

DeviceArray concatenate(std::initializer_list<DeviceArray> arrays, std::int64_t axis) {
  return concatenate(std::span(arrays.begin(), arrays.size()), axis);
}

DeviceArray stack(std::span<const DeviceArray> arrays, std::int64_t given_axis) {
  if (arrays.empty()) throw ArrayError("stack of no arrays");
  const Shape& shape = arrays.front().shape();
  const std::size_t axis = checked_axis(given_axis, shape.size() + 1);
  std::vector<Index> added(axis, whole);
  added.emplace_back(new_axis);
  std::vector<DeviceArray> layers;
  for (const DeviceArray& array : arrays) {
    if (array.shape() != shape) {
      throw ShapeError("stack of shapes " + to_string(shape) + " and " + to_string(array.shape()) +
                       "; they must be the same");
    }
    layers.push_back(array.at(added));
  }
  return concatenate(layers, static_cast<std::int64_t>(axis));
}

DeviceArray stack(std::initializer_list<DeviceArray> arrays, std::int64_t axis) {
  return stack(std::span(arrays.begin(), arrays.size()), axis);
}

}  // namespace maxwell_dg::rtcg
