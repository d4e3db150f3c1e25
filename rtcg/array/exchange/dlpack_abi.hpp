#pragma once

#include <cstdint>

/// The binary interface of DLPack 1.x, by which libraries hand tensors to each other within a process
/// (https://dmlc.github.io/dlpack/latest/c_api.html). Same layout as the C header's types, names of our own.
namespace maxwell_dg::rtcg::dlpack {

enum class DeviceType : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, opencl = 4, cuda_managed = 13 };

struct Device {
  DeviceType type;
  std::int32_t index;
};

enum class TypeCode : std::uint8_t { signed_integer = 0, unsigned_integer = 1, real = 2, complex = 5, boolean = 6 };

struct DataType {
  TypeCode code;
  std::uint8_t bits;    ///< of one lane; a complex number is one
  std::uint16_t lanes;  ///< 1 unless elements are vectors
};

struct Tensor {
  void* data;  ///< on OpenCL the cl_mem
  Device device;
  std::int32_t rank;
  DataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  ///< in elements; null: rows follow each other
  std::uint64_t byte_offset;
};

/// Before DLPack 1.0, and still what most hand out.
struct ManagedTensor {
  Tensor tensor;
  void* owner;
  void (*deleter)(ManagedTensor* self);  ///< may be null
};

struct Version {
  std::uint32_t major, minor;
};

struct VersionedTensor {
  Version version;
  void* owner;
  void (*deleter)(VersionedTensor* self);  ///< may be null
  std::uint64_t flags;
  Tensor tensor;
};

inline constexpr std::uint64_t read_only_flag = 1;

static_assert(sizeof(DataType) == 4 && sizeof(Device) == 8);
static_assert(sizeof(void*) != 8 || (sizeof(Tensor) == 48 && sizeof(ManagedTensor) == 64));
static_assert(sizeof(void*) != 8 || sizeof(VersionedTensor) == 80);

}  // namespace maxwell_dg::rtcg::dlpack
