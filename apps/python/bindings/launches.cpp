#include "apps/python/bindings/launches.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>

#include <nanobind/stl/complex.h>

#include "apps/python/bindings/operands.hpp"
#include "rtcg/array/error.hpp"

namespace nb = nanobind;

namespace maxwell_dg::python {
namespace {

std::array<std::size_t, 3> sizes_of(nb::handle sizes, const char* name) {
  const rtcg::Shape shape = shape_of(sizes);
  const bool is_negative = std::ranges::any_of(shape, [](std::int64_t size) { return size < 0; });
  if (shape.empty() || shape.size() > 3 || is_negative) {
    const std::string message = std::string(name) + " are one to three numbers, none negative";
    throw nb::value_error(message.c_str());
  }
  std::array<std::size_t, 3> result{1, 1, 1};
  std::ranges::copy(shape, result.begin());
  return result;
}

core::KernelArgument number_of(nb::handle value) {
  const bool has_type = nb::hasattr(value, "dtype") && nb::hasattr(value, "ndim");
  if (!has_type || nb::cast<std::int64_t>(value.attr("ndim")) != 0) {
    throw nb::type_error(
        "a kernel is given Arrays, and numbers of the kernel's own types: numpy.float32(2), numpy.int32(n)");
  }
  const nb::object item = value.attr("item")();
  return visit_dtype(dtype_of_object(value.attr("dtype")), [&](auto element) -> core::KernelArgument {
    using T = decltype(element);
    if constexpr (std::is_same_v<T, Half>) {
      throw nb::type_error("numbers of 16 bits are no arguments of kernels; give numpy.float32");
    } else if constexpr (is_complex(dtype_of<T>)) {
      return T(nb::cast<std::complex<double>>(item));
    } else {
      return nb::cast<T>(item);
    }
  });
}

}  // namespace

core::LaunchShape launch_shape_of(nb::handle groups, nb::handle group_size) {
  return {.groups = sizes_of(groups, "groups"), .group_size = sizes_of(group_size, "group_size")};
}

core::Buffer memory_of(const rtcg::DeviceArray& array) {
  if (!array.is_contiguous()) {
    throw rtcg::ArrayError("a kernel is given the memory of an array, which must be contiguous; copy() makes it so");
  }
  if (array.offset() == 0) return array.buffer();
  return array.buffer().region(static_cast<std::size_t>(array.offset()) * size_of(array.dtype()), array.size_bytes());
}

std::vector<core::KernelArgument> kernel_arguments_of(nb::handle arguments) {
  std::vector<core::KernelArgument> list;
  for (const nb::handle argument : arguments) {
    if (nb::isinstance<rtcg::DeviceArray>(argument)) {
      list.emplace_back(memory_of(nb::cast<rtcg::DeviceArray>(argument)));
    } else {
      list.push_back(number_of(argument));
    }
  }
  return list;
}

}  // namespace maxwell_dg::python
