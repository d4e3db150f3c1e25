#pragma once

#include <string>

#include "core/dtype.hpp"

namespace maxwell_dg::rtcg {

/// A C literal that reads back to the same value of that type in CUDA C++ and in OpenCL C:
/// shortest round-trip digits, suffix (`0.1f`, `0.1`), parentheses around negatives, INFINITY and NAN spelled out.
[[nodiscard]] std::string literal(double value, Dtype dtype);
[[nodiscard]] std::string literal(long long value, Dtype dtype);

}  // namespace maxwell_dg::rtcg
