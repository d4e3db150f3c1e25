#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/dtype.hpp"
#include "rtcg/array/scalar.hpp"

/// What arrays are combined by: for each operation the dtype that it computes in and that of its result, as NumPy has
/// them, and its text.
namespace maxwell_dg::rtcg {

// Name, number of operands, rule. Names are C's; what C lacks has NumPy's. `remainder` is C's, `mod` rounds down.
// clang-format off
#define MAXWELL_DG_ARRAY_OPERATORS(X)                                                                                  \
  X(add, 2, arithmetic) X(subtract, 2, arithmetic) X(multiply, 2, arithmetic)                                          \
  X(negative, 1, arithmetic)                                                                                           \
  X(divide, 2, division)                                                                                               \
  X(floor_divide, 2, whole) X(mod, 2, whole)                                                                           \
  X(equal, 2, equality) X(not_equal, 2, equality)                                                                      \
  X(less, 2, order) X(less_equal, 2, order) X(greater, 2, order) X(greater_equal, 2, order)                            \
  X(logical_and, 2, logical) X(logical_or, 2, logical)                                                                 \
  X(logical_not, 1, logical)                                                                                           \
  X(bitwise_and, 2, bits) X(bitwise_or, 2, bits) X(bitwise_xor, 2, bits)                                               \
  X(bitwise_not, 1, bits)                                                                                              \
  X(shift_left, 2, shift) X(shift_right, 2, shift)
#define MAXWELL_DG_ARRAY_UNARY_FUNCTIONS(X)                                                                            \
  X(sin, 1, analytic) X(cos, 1, analytic) X(tan, 1, analytic) X(sinh, 1, analytic)                                     \
  X(cosh, 1, analytic) X(tanh, 1, analytic) X(exp, 1, analytic) X(log, 1, analytic)                                    \
  X(sqrt, 1, analytic)                                                                                                 \
  X(asin, 1, function) X(acos, 1, function) X(atan, 1, function) X(asinh, 1, function)                                 \
  X(acosh, 1, function) X(atanh, 1, function) X(exp2, 1, function) X(exp10, 1, function)                               \
  X(expm1, 1, function) X(log2, 1, function) X(log10, 1, function) X(log1p, 1, function)                               \
  X(logb, 1, function) X(ilogb, 1, function) X(cbrt, 1, function) X(rsqrt, 1, function)                                \
  X(erf, 1, function) X(erfc, 1, function) X(tgamma, 1, function) X(lgamma, 1, function)                               \
  X(floor, 1, rounding) X(ceil, 1, rounding) X(trunc, 1, rounding) X(round, 1, rounding)                               \
  X(rint, 1, rounding)                                                                                                 \
  X(isnan, 1, test) X(isinf, 1, test) X(isfinite, 1, test) X(signbit, 1, test)                                         \
  X(abs, 1, part) X(real, 1, part) X(imag, 1, part) X(arg, 1, part)                                                    \
  X(conj, 1, arithmetic) X(sign, 1, arithmetic) X(square, 1, arithmetic)
#define MAXWELL_DG_ARRAY_BINARY_FUNCTIONS(X)                                                                           \
  X(atan2, 2, function) X(hypot, 2, function) X(copysign, 2, function) X(remainder, 2, function)                       \
  X(nextafter, 2, function) X(fdim, 2, function)                                                                       \
  X(fmod, 2, whole) X(fmin, 2, whole) X(fmax, 2, whole) X(minimum, 2, whole)                                           \
  X(maximum, 2, whole)                                                                                                 \
  X(pow, 2, power)                                                                                                     \
  X(ldexp, 2, scaling)
#define MAXWELL_DG_ARRAY_TERNARY_FUNCTIONS(X) X(fma, 3, function) X(where, 3, selection)
#define MAXWELL_DG_ARRAY_OPERATIONS(X)                                                                                 \
  MAXWELL_DG_ARRAY_OPERATORS(X) MAXWELL_DG_ARRAY_UNARY_FUNCTIONS(X)                                                    \
  MAXWELL_DG_ARRAY_BINARY_FUNCTIONS(X) MAXWELL_DG_ARRAY_TERNARY_FUNCTIONS(X)
// clang-format on

#define MAXWELL_DG_OPERATION_NAME(name, arity, rule) name,
enum class Operation { MAXWELL_DG_ARRAY_OPERATIONS(MAXWELL_DG_OPERATION_NAME) };
#undef MAXWELL_DG_OPERATION_NAME

[[nodiscard]] std::string_view name_of(Operation operation);

/// An operand as far as types go: an array's dtype, or a number.
using TypedTerm = std::variant<Dtype, Scalar>;

struct Typing {
  std::vector<Dtype> operands;  ///< what each is converted to
  Dtype result{};
};
/// Throws DtypeError naming the operation and its operands where NumPy has no such operation, or none such exists.
[[nodiscard]] Typing typing_of(Operation operation, std::span<const TypedTerm> terms);

/// The operation as an expression of kernel text; operands are names or literals of the types that `typing` says.
[[nodiscard]] std::string text_of(Operation operation, const Typing& typing, std::span<const std::string> operands);

/// Whether the text calls functions of array_functions.h.
[[nodiscard]] bool needs_array_functions(std::string_view text);

}  // namespace maxwell_dg::rtcg
