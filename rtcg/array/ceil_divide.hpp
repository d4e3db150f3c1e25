#pragma once

#include <cstdint>

namespace maxwell_dg::rtcg {

/// a / b, rounded up; a >= 0 and b > 0.
[[nodiscard]] constexpr std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace maxwell_dg::rtcg
