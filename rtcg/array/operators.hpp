#pragma once

#include <array>
#include <concepts>
#include <type_traits>

#include "rtcg/array/lazy.hpp"

/// Operators and functions of arrays, element by element, with NumPy's shapes and dtypes: `a + 2 * sin(b)`. Each is one
/// kernel; in a formula of Lazy all are one. `a == b`, `a && b` and the like are arrays of bool, too.
namespace maxwell_dg::rtcg {

template <class T>
concept ArrayLike = std::same_as<T, DeviceArray> || std::same_as<T, Lazy>;
template <class T>
concept ArrayTerm = ArrayLike<T> || Element<T> || std::same_as<T, Scalar>;

namespace detail {

template <ArrayTerm T>
Term as_term(const T& value) {
  if constexpr (ArrayLike<T>) {
    return Lazy(value);
  } else {
    return Scalar(value);
  }
}

/// A formula when one of the operands is, else its value.
template <ArrayTerm... Terms>
auto apply(Operation operation, const Terms&... terms) {
  const std::array<Term, sizeof...(Terms)> list{as_term(terms)...};
  if constexpr ((std::same_as<Terms, Lazy> || ...)) {
    return combined(operation, list);
  } else {
    return evaluate(combined(operation, list));
  }
}

template <class... Terms>
concept HasArray = (ArrayTerm<Terms> && ...) && (ArrayLike<Terms> || ...);

}  // namespace detail

#define MAXWELL_DG_BINARY_OPERATOR(symbol, name)               \
  template <class A, class B>                                  \
  requires detail::HasArray<A, B>                              \
  [[nodiscard]] auto operator symbol(const A& a, const B& b) { \
    return detail::apply(Operation::name, a, b);               \
  }
MAXWELL_DG_BINARY_OPERATOR(+, add)
MAXWELL_DG_BINARY_OPERATOR(-, subtract)
MAXWELL_DG_BINARY_OPERATOR(*, multiply)
MAXWELL_DG_BINARY_OPERATOR(/, divide)
MAXWELL_DG_BINARY_OPERATOR(%, mod)
MAXWELL_DG_BINARY_OPERATOR(==, equal)
MAXWELL_DG_BINARY_OPERATOR(!=, not_equal)
MAXWELL_DG_BINARY_OPERATOR(<, less)
MAXWELL_DG_BINARY_OPERATOR(<=, less_equal)
MAXWELL_DG_BINARY_OPERATOR(>, greater)
MAXWELL_DG_BINARY_OPERATOR(>=, greater_equal)
MAXWELL_DG_BINARY_OPERATOR(&&, logical_and)
MAXWELL_DG_BINARY_OPERATOR(||, logical_or)
MAXWELL_DG_BINARY_OPERATOR(&, bitwise_and)
MAXWELL_DG_BINARY_OPERATOR(|, bitwise_or)
MAXWELL_DG_BINARY_OPERATOR(^, bitwise_xor)
MAXWELL_DG_BINARY_OPERATOR(<<, shift_left)
MAXWELL_DG_BINARY_OPERATOR(>>, shift_right)
#undef MAXWELL_DG_BINARY_OPERATOR

/// Quotient rounded down (Python's `//`), and what is left over: `floor_divide(a, b) * b + a % b` is a.
template <class A, class B>
requires detail::HasArray<A, B>
[[nodiscard]] auto floor_divide(const A& a, const B& b) {
  return detail::apply(Operation::floor_divide, a, b);
}

template <ArrayLike A>
[[nodiscard]] auto operator-(const A& a) {
  return detail::apply(Operation::negative, a);
}
template <ArrayLike A>
[[nodiscard]] A operator+(const A& a) {
  return a;
}
template <ArrayLike A>
[[nodiscard]] auto operator!(const A& a) {
  return detail::apply(Operation::logical_not, a);
}
template <ArrayLike A>
[[nodiscard]] auto operator~(const A& a) {
  return detail::apply(Operation::bitwise_not, a);
}

/// In place: the memory that `a` and all its views share changes. Throws DtypeError when the result is of a higher kind
/// than `a`, as in `integers += 0.5`.
#define MAXWELL_DG_ASSIGNING_OPERATOR(symbol, name)                      \
  template <ArrayTerm B>                                                 \
  const DeviceArray& operator symbol(const DeviceArray& a, const B& b) { \
    evaluate(detail::apply(Operation::name, Lazy(a), b), a);             \
    return a;                                                            \
  }
MAXWELL_DG_ASSIGNING_OPERATOR(+=, add)
MAXWELL_DG_ASSIGNING_OPERATOR(-=, subtract)
MAXWELL_DG_ASSIGNING_OPERATOR(*=, multiply)
MAXWELL_DG_ASSIGNING_OPERATOR(/=, divide)
MAXWELL_DG_ASSIGNING_OPERATOR(%=, mod)
MAXWELL_DG_ASSIGNING_OPERATOR(&=, bitwise_and)
MAXWELL_DG_ASSIGNING_OPERATOR(|=, bitwise_or)
MAXWELL_DG_ASSIGNING_OPERATOR(^=, bitwise_xor)
MAXWELL_DG_ASSIGNING_OPERATOR(<<=, shift_left)
MAXWELL_DG_ASSIGNING_OPERATOR(>>=, shift_right)
#undef MAXWELL_DG_ASSIGNING_OPERATOR

#define MAXWELL_DG_ARRAY_FUNCTION(name, arity, rule) \
  template <class A>                                 \
  requires ArrayLike<A>                              \
  [[nodiscard]] auto name(const A& a) {              \
    return detail::apply(Operation::name, a);        \
  }
MAXWELL_DG_ARRAY_UNARY_FUNCTIONS(MAXWELL_DG_ARRAY_FUNCTION)
#undef MAXWELL_DG_ARRAY_FUNCTION

#define MAXWELL_DG_ARRAY_FUNCTION(name, arity, rule) \
  template <class A, class B>                        \
  requires detail::HasArray<A, B>                    \
  [[nodiscard]] auto name(const A& a, const B& b) {  \
    return detail::apply(Operation::name, a, b);     \
  }
MAXWELL_DG_ARRAY_BINARY_FUNCTIONS(MAXWELL_DG_ARRAY_FUNCTION)
#undef MAXWELL_DG_ARRAY_FUNCTION

#define MAXWELL_DG_ARRAY_FUNCTION(name, arity, rule)            \
  template <class A, class B, class C>                          \
  requires detail::HasArray<A, B, C>                            \
  [[nodiscard]] auto name(const A& a, const B& b, const C& c) { \
    return detail::apply(Operation::name, a, b, c);             \
  }
MAXWELL_DG_ARRAY_TERNARY_FUNCTIONS(MAXWELL_DG_ARRAY_FUNCTION)
#undef MAXWELL_DG_ARRAY_FUNCTION

/// At least `low` and at most `high`.
template <class A, class B, class C>
requires detail::HasArray<A, B, C>
[[nodiscard]] auto clip(const A& a, const B& low, const C& high) {
  return minimum(maximum(a, low), high);
}

/// Fraction and whole part, both with the sign of a.
struct FractionAndWhole {
  DeviceArray fraction, whole;
};
[[nodiscard]] FractionAndWhole modf(const DeviceArray& a);

/// a = fraction * 2^exponent with the fraction in [0.5, 1).
struct FractionAndExponent {
  DeviceArray fraction, exponent;
};
[[nodiscard]] FractionAndExponent frexp(const DeviceArray& a);

}  // namespace maxwell_dg::rtcg
