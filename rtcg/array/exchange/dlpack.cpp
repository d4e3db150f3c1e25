#include "rtcg/array/exchange/dlpack.hpp"

#include <array>
#include <bit>
#include <memory>

#include "rtcg/array/error.hpp"

namespace maxwell_dg::rtcg {

namespace {

using dlpack::DeviceType;
using dlpack::ManagedTensor;
using dlpack::Tensor;
using dlpack::TypeCode;
using dlpack::VersionedTensor;

constexpr std::array<TypeCode, 5> codes{TypeCode::boolean, TypeCode::signed_integer, TypeCode::unsigned_integer,
                                        TypeCode::real, TypeCode::complex};  // in the order of DtypeKind

DeviceType type_of(const core::DeviceInfo& device) {
  return device.backend == core::Backend::cuda ? DeviceType::cuda : DeviceType::opencl;
}

/// A tensor and what it points to.
template <class Managed>
struct Export {
  DeviceArray array;
  Shape shape;
  std::vector<std::int64_t> strides;
  Managed managed{};
};

template <class Managed>
Managed* exported(const DeviceArray& array, Ready ready) {
  auto owner = std::make_unique<Export<Managed>>(Export<Managed>{array, array.shape(), array.strides()});
  const auto kind = static_cast<std::size_t>(kind_of(array.dtype()));
  Tensor& tensor = owner->managed.tensor;
  tensor = {.data = std::bit_cast<void*>(array.buffer().raw()),
            .device = dlpack_device(array),
            .rank = static_cast<std::int32_t>(array.rank()),
            .dtype = {codes[kind], static_cast<std::uint8_t>(8 * size_of(array.dtype())), 1},
            .shape = owner->shape.data(),
            .strides = owner->strides.data(),
            .byte_offset = static_cast<std::uint64_t>(array.offset()) * size_of(array.dtype())};
  if (ready == Ready::now) array.context().stream().synchronize();
  owner->managed.owner = owner.get();
  owner->managed.deleter = [](Managed* self) { delete static_cast<Export<Managed>*>(self->owner); };
  return &owner.release()->managed;
}

Dtype dtype_of_tensor(const dlpack::DataType& type) {
  for (const Dtype dtype : all_dtypes) {
    const bool is_of_kind = codes[static_cast<std::size_t>(kind_of(dtype))] == type.code;
    if (is_of_kind && type.lanes == 1 && type.bits == 8 * size_of(dtype)) return dtype;
  }
  throw DtypeError("a DLPack tensor of type code " + std::to_string(static_cast<int>(type.code)) + ", " +
                   std::to_string(type.bits) + " bits, " + std::to_string(type.lanes) +
                   " lanes; arrays have no such elements");
}

Layout layout_of(const Tensor& tensor, Dtype dtype) {
  const std::span<const std::int64_t> shape(tensor.shape, static_cast<std::size_t>(tensor.rank));
  Layout layout = contiguous_layout({shape.begin(), shape.end()});
  if (tensor.strides != nullptr) layout.strides.assign(tensor.strides, tensor.strides + tensor.rank);
  if (tensor.byte_offset % size_of(dtype) != 0) {
    throw ArrayError("a DLPack tensor begins at byte " + std::to_string(tensor.byte_offset) +
                     ", in the middle of an element");
  }
  layout.offset = static_cast<std::int64_t>(tensor.byte_offset / size_of(dtype));
  return layout;
}

// The elements in C order, through a view of all that the tensor reaches.
DeviceArray copied(const Context& context, const Tensor& tensor, Dtype dtype, Layout layout) {
  const Extent extent = extent_of(layout);
  const auto size = static_cast<std::int64_t>(size_of(dtype));
  const std::size_t bytes = static_cast<std::size_t>((extent.end - extent.begin) * size);
  const core::Buffer all = context.allocate(bytes);
  const auto* first = static_cast<const std::byte*>(tensor.data) + extent.begin * size;
  context.stream().write(all, 0, {first, bytes});
  context.stream().synchronize();
  layout.offset -= extent.begin;
  return {context, all, dtype, std::move(layout)};
}

// `owner` keeps the tensor; it dies with the last view.
DeviceArray viewed(const Context& context, const Tensor& tensor, Dtype dtype, Layout layout,
                   std::shared_ptr<void> owner) {
  const Extent extent = extent_of(layout);
  auto raw = std::bit_cast<std::uintptr_t>(tensor.data);
  const std::size_t size = size_of(dtype);
  if (context.device().info().backend == core::Backend::cuda) {  // a pointer may stand anywhere in its memory
    raw += static_cast<std::uintptr_t>(extent.begin * static_cast<std::int64_t>(size));
    layout.offset -= extent.begin;
  } else if (extent.begin < 0) {
    throw ArrayError("a DLPack tensor reaches back before its cl_mem");
  }
  const auto elements = static_cast<std::size_t>(extent_of(layout).end);
  const core::Buffer buffer = context.device().wrap_buffer(raw, elements * size, std::move(owner));
  return {context, buffer, dtype, std::move(layout)};
}

template <class Managed>
DeviceArray imported(const Context& context, Managed* managed, bool is_read_only) {
  const Tensor& tensor = managed->tensor;
  const Dtype dtype = dtype_of_tensor(tensor.dtype);
  Layout layout = layout_of(tensor, dtype);
  const core::DeviceInfo& device = context.device().info();
  const bool is_on_host = tensor.device.type == DeviceType::cpu || tensor.device.type == DeviceType::cuda_host;
  const bool is_here = (tensor.device.type == type_of(device) ||
                        (tensor.device.type == DeviceType::cuda_managed && device.backend == core::Backend::cuda)) &&
                       tensor.device.index == device.index;
  const auto release = [managed] {
    if (managed->deleter != nullptr) managed->deleter(managed);
  };
  if (is_on_host || layout.size() == 0) {
    DeviceArray array = copied(context, tensor, dtype, std::move(layout));
    release();
    return array;
  }
  if (!is_here) {
    throw ArrayError("a DLPack tensor of device type " + std::to_string(static_cast<int>(tensor.device.type)) +
                     ", index " + std::to_string(tensor.device.index) + " is not on " + device.name +
                     "; bring it to the host first");
  }
  if (is_read_only) throw ArrayError("a DLPack tensor on the device is read-only, which arrays are not; copy it first");
  // Whoever throws below must not have called the deleter: it is armed last.
  const auto armed = std::make_shared<bool>(false);
  const std::shared_ptr<void> owner(static_cast<void*>(managed), [armed, release](void*) {
    if (*armed) release();
  });
  DeviceArray array = viewed(context, tensor, dtype, std::move(layout), owner);
  *armed = true;
  return array;
}

}  // namespace

dlpack::Device dlpack_device(const DeviceArray& array) {
  const core::DeviceInfo& device = array.context().device().info();
  return {type_of(device), device.index};
}

VersionedTensor* to_dlpack(const DeviceArray& array, Ready ready) {
  VersionedTensor* const tensor = exported<VersionedTensor>(array, ready);
  tensor->version = {1, 0};
  return tensor;
}

ManagedTensor* to_dlpack_unversioned(const DeviceArray& array, Ready ready) {
  return exported<ManagedTensor>(array, ready);
}

DeviceArray from_dlpack(const Context& context, VersionedTensor* tensor) {
  if (tensor->version.major > 1) {
    throw ArrayError("a DLPack tensor of version " + std::to_string(tensor->version.major) + "; known is 1");
  }
  return imported(context, tensor, (tensor->flags & dlpack::read_only_flag) != 0);
}

DeviceArray from_dlpack(const Context& context, ManagedTensor* tensor) {
  return imported(context, tensor, false);
}

}  // namespace maxwell_dg::rtcg
