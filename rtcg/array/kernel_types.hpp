#pragma once

#include <string>

#include "core/dtype.hpp"

/// How dtypes are spelled in kernel text; see kernel_headers.hpp for the types that plain C lacks.
namespace maxwell_dg::rtcg {

/// The type of an element in memory: `float16`, `bool8`, else as name_of.
[[nodiscard]] std::string storage_type(Dtype dtype);

/// The type of a value in an expression: float32 for float16, else as in memory.
[[nodiscard]] std::string value_type(Dtype dtype);

/// Expression of an element's value: `text` is an element in memory.
[[nodiscard]] std::string loaded(const std::string& text, Dtype dtype);

/// Expression of the element to store for a value.
[[nodiscard]] std::string stored(const std::string& value, Dtype dtype);

/// The value of one dtype as an expression of another, by C's conversions; to real, an imaginary part is dropped.
[[nodiscard]] std::string converted(const std::string& value, Dtype from, Dtype to);

}  // namespace maxwell_dg::rtcg
