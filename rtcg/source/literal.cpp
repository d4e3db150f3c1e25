#include "rtcg/source/literal.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace maxwell_dg::rtcg {

namespace {

template <class Real>
std::string shortest_digits(Real value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string real_literal(double value, Dtype dtype) {
  const bool single = dtype == Dtype::float32;
  if (single) value = static_cast<double>(static_cast<float>(value));
  const double magnitude = std::fabs(value);
  std::string text;
  if (std::isnan(value)) return single ? "NAN" : "((float64)NAN)";
  if (std::isinf(value)) {
    text = single ? "INFINITY" : "((float64)INFINITY)";
  } else {
    text = single ? shortest_digits(static_cast<float>(magnitude)) + "f" : shortest_digits(magnitude);
  }
  return std::signbit(value) ? "(-" + text + ")" : text;
}

[[noreturn]] void reject(const std::string& value, Dtype dtype) {
  throw std::invalid_argument("no literal of type " + std::string(name_of(dtype)) + " holds " + value);
}

}  // namespace

std::string literal(double value, Dtype dtype) {
  if (dtype == Dtype::float32 || dtype == Dtype::float64) return real_literal(value, dtype);
  constexpr double two_to_64 = 18446744073709551616.0;
  const double magnitude = std::fabs(value);
  if (!(magnitude < two_to_64) || magnitude != std::floor(magnitude)) reject(shortest_digits(value), dtype);
  return integer_literal(value < 0, static_cast<std::uint64_t>(magnitude), dtype);
}

std::string integer_literal(bool negative, std::uint64_t magnitude, Dtype dtype) {
  const auto with_sign = [&](std::uint64_t largest, const char* suffix) {
    const std::string digits = std::to_string(magnitude);
    const bool is_unsigned = *suffix == 'u';
    if (magnitude > largest + (negative ? 1 : 0) || (negative && is_unsigned))
      reject((negative ? "-" : "") + digits, dtype);
    if (!negative) return digits + suffix;
    // The most negative number has no positive counterpart in its type: C writes it as a difference.
    if (magnitude > largest) return "(-" + std::to_string(largest) + suffix + " - 1)";
    return "(-" + digits + suffix + ")";
  };
  switch (dtype) {
    case Dtype::boolean: {
      if (negative || magnitude > 1) reject((negative ? "-" : "") + std::to_string(magnitude), dtype);
      return std::to_string(magnitude);
    }
    case Dtype::int8: return with_sign(std::numeric_limits<std::int8_t>::max(), "");
    case Dtype::int16: return with_sign(std::numeric_limits<std::int16_t>::max(), "");
    case Dtype::uint8: return with_sign(std::numeric_limits<std::uint8_t>::max(), "u");
    case Dtype::uint16: return with_sign(std::numeric_limits<std::uint16_t>::max(), "u");
    case Dtype::int32: return with_sign(std::numeric_limits<std::int32_t>::max(), "");
    case Dtype::int64: return with_sign(std::numeric_limits<std::int64_t>::max(), "L");
    case Dtype::uint32: return with_sign(std::numeric_limits<std::uint32_t>::max(), "u");
    case Dtype::uint64: {
      if (negative) reject("-" + std::to_string(magnitude), dtype);
      return std::to_string(magnitude) + "uL";
    }
    case Dtype::float32:
    case Dtype::float64: break;
    case Dtype::float16:
    case Dtype::complex64:
    case Dtype::complex128: reject((negative ? "-" : "") + std::to_string(magnitude), dtype);
  }
  const double value = static_cast<double>(magnitude);
  return real_literal(negative ? -value : value, dtype);
}

}  // namespace maxwell_dg::rtcg
