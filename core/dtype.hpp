#pragma once

#include <cstddef>
#include <string_view>

namespace maxwell_dg {

/// Element types that kernels and arrays know at run time.
enum class Dtype { int32, uint32, int64, uint64, float32, float64 };

/// Bytes of one value.
[[nodiscard]] constexpr std::size_t size_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::int32:
    case Dtype::uint32:
    case Dtype::float32: return 4;
    case Dtype::int64:
    case Dtype::uint64:
    case Dtype::float64: return 8;
  }
  return 0;
}

/// The name users read: `float32`, `int64` ...
[[nodiscard]] constexpr std::string_view name_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::int32: return "int32";
    case Dtype::uint32: return "uint32";
    case Dtype::int64: return "int64";
    case Dtype::uint64: return "uint64";
    case Dtype::float32: return "float32";
    case Dtype::float64: return "float64";
  }
  return "";
}

template <class T>
struct DtypeOf;
template <>
struct DtypeOf<float> {
  static constexpr Dtype value = Dtype::float32;
};
template <>
struct DtypeOf<double> {
  static constexpr Dtype value = Dtype::float64;
};
template <>
struct DtypeOf<int> {
  static constexpr Dtype value = Dtype::int32;
};
template <>
struct DtypeOf<unsigned> {
  static constexpr Dtype value = Dtype::uint32;
};
template <>
struct DtypeOf<long> {
  static constexpr Dtype value = Dtype::int64;
};
template <>
struct DtypeOf<unsigned long> {
  static constexpr Dtype value = Dtype::uint64;
};
template <class T>
inline constexpr Dtype dtype_of = DtypeOf<T>::value;

}  // namespace maxwell_dg
