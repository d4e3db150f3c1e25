#pragma once

#include <string>
#include <utility>
#include <vector>

/// The dtypes and functions that plain C lacks, for kernel text. `#include "array_types.h"` brings
///
/// - int8, int16, uint8, uint16 (on OpenCL they hide its vectors of those names); bool8, the bool of arrays, 0 or 1
/// - float16, a number in memory: `float32 float16_value(float16)` reads it, `float16 float16_of(float32)` rounds to
///   nearest even. Arithmetic is that of float32.
/// - ALIGNED(bytes) behind `struct`; EACH_ALONE before a loop whose rounds do not depend on each other
///
/// `#include "array_complex.h"` brings
///
/// - complex64 and complex128, structs of `re` and `im`. Dialect C has no operators on them, but functions, for
/// complex64:
///   complex64_of(re, im), _add, _sub, _mul, _div, _neg, _conj, _equal, float32 _abs and _arg, and _exp _log _sqrt _pow
///   _sin _cos _tan _sinh _cosh _tanh; the same with complex128_.
///
/// `#include "array_functions.h"` brings, for each integer type T: T_floor_divide, T_mod (rounding down), T_fmod
/// (towards 0), T_pow, T_shift_left, T_shift_right, defined for every operand; for float32 and float64 _floor_divide
/// and _mod.
///
/// `#include "random.h"` brings random numbers, see philox.hpp.
namespace maxwell_dg::rtcg {

/// For KernelSource::headers: name, text.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> array_headers();

}  // namespace maxwell_dg::rtcg
