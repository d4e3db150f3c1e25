#pragma once

#include <bit>
#include <cstdint>

namespace maxwell_dg {

/// An IEEE 754 binary16 number as it is stored: compute in float, keep in Half. Conversion from float rounds to
/// nearest, ties to even; what is beyond 65504 becomes infinite, a NaN stays one.
class Half {
 public:
  constexpr Half() = default;
  constexpr explicit Half(float value) : bits_(rounded(value)) {}
  [[nodiscard]] static constexpr Half from_bits(std::uint16_t bits) {
    Half half;
    half.bits_ = bits;
    return half;
  }
  [[nodiscard]] constexpr std::uint16_t bits() const { return bits_; }

  constexpr explicit operator float() const {
    const std::uint32_t sign = (bits_ & 0x8000u) << 16;
    const std::uint32_t exponent = (bits_ >> 10) & 0x1fu;
    const std::uint32_t fraction = bits_ & 0x3ffu;
    if (exponent == 0) {  // zero, or a multiple of 2^-24
      const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
      return sign != 0 ? -magnitude : magnitude;
    }
    // A float's exponent is biased by 127, this one's by 15; all ones mean infinity or NaN in both.
    const std::uint32_t biased = exponent == 0x1f ? 0xffu : exponent + 112;
    return std::bit_cast<float>(sign | biased << 23 | fraction << 13);
  }

  /// By value, as floats compare: NaN equals nothing, -0 equals 0.
  friend constexpr bool operator==(Half a, Half b) { return static_cast<float>(a) == static_cast<float>(b); }

 private:
  static constexpr std::uint16_t rounded(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    const auto signed_half = [sign](std::uint32_t half) { return static_cast<std::uint16_t>(sign | half); };
    if (magnitude > 0x7f800000u) return signed_half(0x7e00u | (magnitude >> 13 & 0x3ffu));  // NaN, made quiet
    if (magnitude >= 0x477ff000u) return signed_half(0x7c00u);  // 65520 and above round to infinity
    if (magnitude >= 0x38800000u) {                             // normal: 2^-14 and above
      const std::uint32_t odd = (magnitude >> 13) & 1u;
      return signed_half((magnitude - (112u << 23) + 0xfffu + odd) >> 13);
    }
    if (magnitude < 0x33000000u) return sign;  // below half of the smallest, 2^-25
    const std::uint32_t shift = 126 - (magnitude >> 23);
    const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t odd = (significand >> shift) & 1u;
    return signed_half((significand + (1u << (shift - 1)) - 1 + odd) >> shift);
  }

  std::uint16_t bits_ = 0;
};

}  // namespace maxwell_dg
