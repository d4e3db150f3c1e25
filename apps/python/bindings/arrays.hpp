#pragma once

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace maxwell_dg::python {

/// The values as a NumPy array of this shape, last index fastest, which owns them: nothing is copied.
template <class T>
[[nodiscard]] nanobind::object array_of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  const nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(kept->data(), shape, owner));
}

}  // namespace maxwell_dg::python
