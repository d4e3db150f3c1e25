#pragma once

#include <concepts>
#include <type_traits>

namespace maxwell_dg {

/// a / b, rounded up; a >= 0 and b > 0.
template <std::integral T>
[[nodiscard]] constexpr T ceil_divide(T a, std::type_identity_t<T> b) {
  return (a + b - 1) / b;
}

/// The least multiple of `multiple` that is not less than n; n >= 0 and multiple > 0.
template <std::integral T>
[[nodiscard]] constexpr T round_up(T n, std::type_identity_t<T> multiple) {
  return ceil_divide(n, multiple) * multiple;
}

}  // namespace maxwell_dg
