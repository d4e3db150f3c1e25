#include "apps/python/bindings/tensors.hpp"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/ndarray.h>

#include "apps/python/bindings/conversions.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/exchange/dlpack.hpp"

namespace nb = nanobind;

namespace maxwell_dg::python {
namespace {

using rtcg::DeviceArray;
namespace dlpack = rtcg::dlpack;

constexpr const char* versioned_name = "dltensor_versioned";
constexpr const char* unversioned_name = "dltensor";

/// A receiver renames the capsule, and calls the deleter itself.
template <class Managed>
void delete_unused(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) == 0) return;
  auto* const tensor = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (tensor->deleter != nullptr) tensor->deleter(tensor);
}

nb::object capsule_of(const DeviceArray& array, rtcg::Ready ready, bool versioned) {
  if (versioned) {
    return nb::steal(PyCapsule_New(to_dlpack(array, ready), versioned_name, [](PyObject* capsule) {
      delete_unused<dlpack::VersionedTensor>(capsule, versioned_name);
    }));
  }
  return nb::steal(PyCapsule_New(to_dlpack_unversioned(array, ready), unversioned_name, [](PyObject* capsule) {
    delete_unused<dlpack::ManagedTensor>(capsule, unversioned_name);
  }));
}

/// Lets a receiver's CUDA stream wait for the array's.
void order_before(long stream, const DeviceArray& array) {
  const core::Stream& own = array.context().stream();
  const core::Stream theirs =
      array.context().device().wrap_stream(stream == 1 ? 0 : static_cast<std::uintptr_t>(stream));
  if (theirs.raw() != own.raw()) theirs.wait(own.record(core::EventKind::order));
}

/// NumPy's letters for kinds, without its package: what nanobind takes.
nb::dlpack::dtype tensor_type(Dtype dtype) {
  const std::array codes{dlpack::TypeCode::boolean, dlpack::TypeCode::signed_integer,
                         dlpack::TypeCode::unsigned_integer, dlpack::TypeCode::real, dlpack::TypeCode::complex};
  return {static_cast<std::uint8_t>(codes.at(static_cast<std::size_t>(kind_of(dtype)))),
          static_cast<std::uint8_t>(8 * size_of(dtype)), 1};
}

Dtype dtype_of_numpy(nb::handle array) {
  const std::string name = text_of(array.attr("dtype").attr("name"));
  const std::optional<Dtype> dtype = dtype_named(name);
  if (!dtype) throw rtcg::DtypeError("arrays have no elements of the type '" + name + "' of NumPy");
  return *dtype;
}

}  // namespace

nb::object dlpack_of(const DeviceArray& array, std::optional<long> stream, nb::handle max_version, nb::handle dl_device,
                     std::optional<bool> copy) {
  if (!dl_device.is_none() && !dl_device.equal(dlpack_device_of(array))) {
    throw nb::buffer_error("this array is on another device; copy it with numpy() first");
  }
  const DeviceArray given = copy.value_or(false) ? array.copy() : array;
  const bool versioned = !max_version.is_none() && nb::cast<long>(max_version[0]) >= 1;
  const bool is_cuda = dlpack_device(array).type == dlpack::DeviceType::cuda;
  if (!is_cuda && stream && *stream != -1) throw nb::value_error("__dlpack__: only CUDA's arrays take a stream");
  if (!is_cuda) return capsule_of(given, rtcg::Ready::now, versioned);
  if (stream == 0 || stream.value_or(1) < -1) {
    throw nb::value_error("__dlpack__: a stream of CUDA is 1, 2, a handle, or -1 for none");
  }
  if (stream != -1) order_before(stream.value_or(1), given);
  return capsule_of(given, rtcg::Ready::later, versioned);
}

nb::object dlpack_device_of(const DeviceArray& array) {
  const dlpack::Device device = dlpack_device(array);
  return nb::make_tuple(static_cast<int>(device.type), device.index);
}

DeviceArray from_dlpack(const rtcg::Context& context, nb::handle object) {
  nb::object capsule;
  if (nb::hasattr(object, "__dlpack__")) {
    capsule = object.attr("__dlpack__")();
  } else {
    throw nb::type_error("an object with __dlpack__ is needed");
  }
  if (PyCapsule_IsValid(capsule.ptr(), unversioned_name) == 0) throw nb::type_error("__dlpack__ gave no tensor");
  auto* const tensor = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), unversioned_name));
  DeviceArray array = rtcg::from_dlpack(context, tensor);
  PyCapsule_SetName(capsule.ptr(), "used_dltensor");
  return array;
}

nb::object numpy_view(void* data, const rtcg::Shape& shape, Dtype dtype, const nb::capsule& keeper) {
  const std::vector<std::size_t> extents(shape.begin(), shape.end());
  return nb::cast(nb::ndarray<nb::numpy>(data, extents.size(), extents.data(), keeper, nullptr, tensor_type(dtype)));
}

nb::object numpy_of(const DeviceArray& array) {
  auto bytes = std::make_unique<std::vector<std::byte>>(std::max<std::size_t>(array.size_bytes(), 1));
  visit_dtype(array.dtype(), [&](auto element) {
    using T = decltype(element);
    const nb::gil_scoped_release without_lock;
    array.copy_to_host(std::span<T>(reinterpret_cast<T*>(bytes->data()), static_cast<std::size_t>(array.size())));
  });
  void* const data = bytes->data();
  const nb::capsule keeper(bytes.release(), [](void* p) noexcept { delete static_cast<std::vector<std::byte>*>(p); });
  return numpy_view(data, array.shape(), array.dtype(), keeper);
}

DeviceArray on_device(const rtcg::Context& context, nb::handle numpy_array) {
  const Dtype dtype = dtype_of_numpy(numpy_array);
  const auto values = nb::cast<nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>>(numpy_array);
  rtcg::Shape shape;
  for (std::size_t axis = 0; axis < values.ndim(); ++axis)
    shape.push_back(static_cast<std::int64_t>(values.shape(axis)));
  const nb::gil_scoped_release without_lock;
  DeviceArray array = rtcg::empty(context, shape, dtype);
  visit_dtype(dtype, [&](auto element) {
    using T = decltype(element);
    array.assign_from_host(std::span<const T>(static_cast<const T*>(values.data()), values.size()));
  });
  return array;
}

}  // namespace maxwell_dg::python
