#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <string>
#include <variant>

#include "core/dtype.hpp"

namespace maxwell_dg::rtcg {

/// A number of the host program beside arrays. It is weak: its kind takes part in promotion, its C++ type does not,
/// so that `2.0 * float32_array` stays float32.
class Scalar {
 public:
  // Numbers stand beside arrays in formulas, so the conversion is implicit.
  template <Element T>
  Scalar(T value) : value_(stored(value)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] WeakKind kind() const;
  /// What it is when it stands alone: bool, int64 (uint64 if larger), float64, complex128.
  [[nodiscard]] Dtype dtype() const;
  [[nodiscard]] std::string text() const;  ///< for messages

  /// The value as that dtype. Throws DtypeError when an integer is out of its range, or would drop a fraction or an
  /// imaginary part. Reals are rounded.
  template <Element T>
  [[nodiscard]] T as() const;

 private:
  using Stored = std::variant<bool, std::int64_t, std::uint64_t, double, std::complex<double>>;
  template <Element T>
  static Stored stored(T value) {
    if constexpr (std::same_as<T, bool>) {
      return value;
    } else if constexpr (std::same_as<T, Half>) {
      return static_cast<double>(static_cast<float>(value));
    } else if constexpr (is_complex(dtype_of<T>)) {
      return std::complex<double>(value);
    } else if constexpr (std::floating_point<T>) {
      return static_cast<double>(value);
    } else if constexpr (std::signed_integral<T>) {
      return static_cast<std::int64_t>(value);
    } else {
      return static_cast<std::uint64_t>(value);
    }
  }
  Stored value_;
};

/// The dtype of an array operation with this number; an integer that `array` cannot hold throws DtypeError.
[[nodiscard]] Dtype promote(Dtype array, const Scalar& scalar);

}  // namespace maxwell_dg::rtcg
