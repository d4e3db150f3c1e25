#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/half.hpp"

namespace maxwell_dg {

/// Element types that kernels and arrays know at run time; of one kind from small to large.
enum class Dtype {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
  complex64,
  complex128
};

enum class DtypeKind { boolean, signed_integer, unsigned_integer, real, complex };

/// In the order of the enumeration.
inline constexpr std::array<Dtype, 14> all_dtypes{
    Dtype::boolean, Dtype::int8,   Dtype::int16,   Dtype::int32,   Dtype::int64,   Dtype::uint8,     Dtype::uint16,
    Dtype::uint32,  Dtype::uint64, Dtype::float16, Dtype::float32, Dtype::float64, Dtype::complex64, Dtype::complex128};

/// Bytes of one value.
[[nodiscard]] constexpr std::size_t size_of(Dtype dtype) {
  constexpr std::array<std::size_t, 14> sizes{1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 8, 16};
  return sizes[static_cast<std::size_t>(dtype)];
}

/// The name users read, which is NumPy's: `bool`, `float32`, `int64` ...
[[nodiscard]] constexpr std::string_view name_of(Dtype dtype) {
  constexpr std::array<std::string_view, 14> names{"bool",    "int8",    "int16",     "int32",     "int64",
                                                   "uint8",   "uint16",  "uint32",    "uint64",    "float16",
                                                   "float32", "float64", "complex64", "complex128"};
  return names[static_cast<std::size_t>(dtype)];
}

/// The dtype of that name; empty when there is none.
[[nodiscard]] constexpr std::optional<Dtype> dtype_named(std::string_view name) {
  for (const Dtype dtype : all_dtypes) {
    if (name_of(dtype) == name) return dtype;
  }
  return std::nullopt;
}

[[nodiscard]] constexpr DtypeKind kind_of(Dtype dtype) {
  if (dtype == Dtype::boolean) return DtypeKind::boolean;
  if (dtype <= Dtype::int64) return DtypeKind::signed_integer;
  if (dtype <= Dtype::uint64) return DtypeKind::unsigned_integer;
  if (dtype <= Dtype::float64) return DtypeKind::real;
  return DtypeKind::complex;
}
[[nodiscard]] constexpr bool is_integer(Dtype dtype) {
  return dtype >= Dtype::int8 && dtype <= Dtype::uint64;
}
[[nodiscard]] constexpr bool is_real(Dtype dtype) {
  return kind_of(dtype) == DtypeKind::real;
}
[[nodiscard]] constexpr bool is_complex(Dtype dtype) {
  return kind_of(dtype) == DtypeKind::complex;
}

/// Of a complex dtype the type of its parts; every other dtype itself.
[[nodiscard]] constexpr Dtype real_part_of(Dtype dtype) {
  if (dtype == Dtype::complex64) return Dtype::float32;
  return dtype == Dtype::complex128 ? Dtype::float64 : dtype;
}

/// The smallest real dtype that NumPy computes a value of `dtype` in: bool and 8 bits in float16, 16 bits in float32,
/// longer integers in float64; reals and the parts of complex numbers in their own.
[[nodiscard]] constexpr Dtype real_for(Dtype dtype) {
  if (is_real(dtype) || is_complex(dtype)) return real_part_of(dtype);
  if (size_of(dtype) == 1) return Dtype::float16;
  return size_of(dtype) == 2 ? Dtype::float32 : Dtype::float64;
}

/// The dtype that values of both convert to, by NumPy's rules: int32 and float32 give float64, int8 and uint8 int16,
/// int64 and uint64 float64.
[[nodiscard]] constexpr Dtype promote(Dtype a, Dtype b) {
  if (a == b || b == Dtype::boolean) return a;
  if (a == Dtype::boolean) return b;
  if (is_integer(a) && is_integer(b)) {
    if (kind_of(a) == kind_of(b)) return std::max(a, b);
    const Dtype with_sign = kind_of(a) == DtypeKind::signed_integer ? a : b;
    const Dtype without = with_sign == a ? b : a;
    if (size_of(with_sign) > size_of(without)) return with_sign;
    if (size_of(without) == 1) return Dtype::int16;
    if (size_of(without) == 2) return Dtype::int32;
    return size_of(without) == 4 ? Dtype::int64 : Dtype::float64;
  }
  const Dtype real = std::max(real_for(a), real_for(b));
  if (!is_complex(a) && !is_complex(b)) return real;
  return real == Dtype::float64 ? Dtype::complex128 : Dtype::complex64;
}

/// What a plain number of the host program is, as Python's bool, int, float and complex are to NumPy: it takes part in
/// promotion by its kind alone, so that 2.0 * float32 stays float32 and 1 + int8 stays int8.
enum class WeakKind { boolean, integer, real, complex };

[[nodiscard]] constexpr Dtype promote(Dtype a, WeakKind b) {
  const bool is_whole = a == Dtype::boolean || is_integer(a);
  switch (b) {
    case WeakKind::boolean: break;
    case WeakKind::integer: return a == Dtype::boolean ? Dtype::int64 : a;
    case WeakKind::real: return is_whole ? Dtype::float64 : a;
    case WeakKind::complex:
      if (is_complex(a)) return a;
      return is_whole || a == Dtype::float64 ? Dtype::complex128 : Dtype::complex64;
  }
  return a;
}

namespace detail {
template <class T>
consteval std::optional<Dtype> find_dtype() {
  if constexpr (std::same_as<T, bool>) return Dtype::boolean;
  if constexpr (std::same_as<T, Half>) return Dtype::float16;
  if constexpr (std::same_as<T, float>) return Dtype::float32;
  if constexpr (std::same_as<T, double>) return Dtype::float64;
  if constexpr (std::same_as<T, std::complex<float>>) return Dtype::complex64;
  if constexpr (std::same_as<T, std::complex<double>>) return Dtype::complex128;
  if constexpr (std::signed_integral<T> || std::unsigned_integral<T>) {
    constexpr std::array with_sign{Dtype::int8, Dtype::int16, Dtype::int32, Dtype::int64};
    constexpr std::array without{Dtype::uint8, Dtype::uint16, Dtype::uint32, Dtype::uint64};
    for (const Dtype dtype : std::signed_integral<T> ? with_sign : without) {
      if (size_of(dtype) == sizeof(T)) return dtype;
    }
  }
  return std::nullopt;
}
}  // namespace detail

/// C++ types whose values arrays hold: bool, the integers, Half, float, double, std::complex of the last two.
template <class T>
concept Element = detail::find_dtype<T>()
.has_value();

template <Element T>
inline constexpr Dtype dtype_of = *detail::find_dtype<T>();

/// Calls `f` with a value-initialised element of the C++ type of `dtype`; returns what it returns.
template <class F>
decltype(auto) visit_dtype(Dtype dtype, F&& f) {
  switch (dtype) {
    case Dtype::boolean: return f(bool{});
    case Dtype::int8: return f(std::int8_t{});
    case Dtype::int16: return f(std::int16_t{});
    case Dtype::int32: return f(std::int32_t{});
    case Dtype::int64: return f(std::int64_t{});
    case Dtype::uint8: return f(std::uint8_t{});
    case Dtype::uint16: return f(std::uint16_t{});
    case Dtype::uint32: return f(std::uint32_t{});
    case Dtype::uint64: return f(std::uint64_t{});
    case Dtype::float16: return f(Half{});
    case Dtype::float32: return f(float{});
    case Dtype::float64: return f(double{});
    case Dtype::complex64: return f(std::complex<float>{});
    case Dtype::complex128: break;
  }
  return f(std::complex<double>{});
}

}  // namespace maxwell_dg
