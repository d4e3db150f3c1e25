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
  const bool negative = value < T{0};
  const auto bits = static_cast<std::uint64_t>(value);  // modulo 2^64, so that 0 - bits is the magnitude
  return integer_literal(negative, negative ? 0 - bits : bits, dtype);
}

}  // namespace maxwell_dg::rtcg
