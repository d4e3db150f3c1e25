#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "core/dtype.hpp"

namespace maxwell_dg::rtcg {

/// A C literal that reads back to the same value of that type in CUDA C++ and in OpenCL C: shortest round-trip
/// digits, suffix (`0.1f`, `0.1`, `7u`, `7L`), parentheses around negatives, INFINITY and NAN spelled out (the
/// dialect's preamble defines them; a NaN's payload is not kept). For float32 the value is rounded first.
/// Throws std::invalid_argument for a value that an integer type does not hold.
[[nodiscard]] std::string literal(double value, Dtype dtype);

/// The same for a whole number, given as sign and magnitude.
[[nodiscard]] std::string integer_literal(bool negative, std::uint64_t magnitude, Dtype dtype);

template <std::integral T>
[[nodiscard]] std::string literal(T value, Dtype dtype) {
  // Modulo 2^64, where 0 - value is the magnitude.
  if (value < T{0}) return integer_literal(true, 0 - static_cast<std::uint64_t>(value), dtype);
  return integer_literal(false, static_cast<std::uint64_t>(value), dtype);
}

}  // namespace maxwell_dg::rtcg
