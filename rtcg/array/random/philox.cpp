#include "rtcg/array/random/philox.hpp"

#include <cmath>
#include <numbers>

#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::rtcg {

namespace {

// Table 2 and section 3.3 of the paper: multipliers, and what the key grows by from round to round (golden ratio,
// sqrt(3) - 1).
constexpr std::uint32_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
constexpr std::uint32_t growth_0 = 0x9E3779B9, growth_1 = 0xBB67AE85;
constexpr int rounds = 10;

// Uniform numbers keep as many leading bits as the significand has. Normal ones, after Box and Muller, Annals of
// Mathematical Statistics 29 (1958) 610: the radius takes a number in (0, 1] of all bits, so that tails reach far, the
// angle, in half turns, one in [0, 2).
constexpr const char* header_text = R"text(#ifndef RANDOM_NUMBERS
#define RANDOM_NUMBERS
typedef struct {
  uint32 x, y, z, w;
} random_words;
DEVICE_FUNCTION random_words random_block(uint64 seed, uint64 stream, uint64 block) {
  uint32 key_0 = (uint32)seed, key_1 = (uint32)(seed >> 32);
  random_words c;
  c.x = (uint32)block;
  c.y = (uint32)(block >> 32);
  c.z = (uint32)stream;
  c.w = (uint32)(stream >> 32);
  UNROLL for (int32 round = 0; round < ${rounds}; ++round) {
    const uint64 a = (uint64)${multiplier_0}u * c.x, b = (uint64)${multiplier_1}u * c.z;
    c.x = (uint32)(b >> 32) ^ c.y ^ key_0;
    c.y = (uint32)b;
    c.z = (uint32)(a >> 32) ^ c.w ^ key_1;
    c.w = (uint32)a;
    key_0 += ${growth_0}u;
    key_1 += ${growth_1}u;
  }
  return c;
}
DEVICE_FUNCTION float32 uniform_float32(uint32 x) { return (float32)(x >> 8) * 5.9604644775390625e-08f; }
DEVICE_FUNCTION void normal_float32(uint32 x, uint32 y, float32* z) {
  const float32 radius = sqrt(-2.0f * log((float32)x * 2.3283064365386963e-10f + 1.1641532182693481e-10f));
  const float32 angle = 2.0f * uniform_float32(y);
  z[0] = radius * cospi(angle);
  z[1] = radius * sinpi(angle);
}
#if defined(CUDA_DIALECT) || defined(cl_khr_fp64)
DEVICE_FUNCTION float64 uniform_float64(uint32 x, uint32 y) {
  return (float64)((uint64)(x >> 5) << 26 | y >> 6) * 1.1102230246251565e-16;
}
DEVICE_FUNCTION void normal_float64(uint32 x, uint32 y, uint32 z, uint32 w, float64* both) {
  const float64 radius = sqrt(-2.0 * log(uniform_float64(x, y) + 1.1102230246251565e-16));
  const float64 angle = 2.0 * uniform_float64(z, w);
  both[0] = radius * cospi(angle);
  both[1] = radius * sinpi(angle);
}
#endif
#endif
)text";

float uniform(std::uint32_t x) {
  return static_cast<float>(x >> 8) * 0x1p-24F;
}
double uniform(std::uint32_t x, std::uint32_t y) {
  return static_cast<double>(std::uint64_t{x >> 5} << 26 | y >> 6) * 0x1p-53;
}

// Calls make(words) for each block, which returns an array of numbers, and takes as many as there is room for.
template <class T, class Make>
void fill(RandomPosition position, std::span<T> numbers, Make make) {
  for (std::size_t i = 0; i < numbers.size(); ++position.block) {
    for (const T number : make(random_words(position))) {
      if (i < numbers.size()) numbers[i++] = number;
    }
  }
}

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t a = std::uint64_t{multiplier_0} * c[0], b = std::uint64_t{multiplier_1} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key = {key[0] + growth_0, key[1] + growth_1};
  }
  return c;
}

std::array<std::uint32_t, 4> random_words(const RandomPosition& p) {
  const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  const auto high = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); };
  return philox4x32({low(p.block), high(p.block), low(p.stream), high(p.stream)}, {low(p.seed), high(p.seed)});
}

void uniform_on_host(RandomPosition position, std::span<float> numbers) {
  fill(position, numbers, [](const auto& w) {
    return std::array{uniform(w[0]), uniform(w[1]), uniform(w[2]), uniform(w[3])};
  });
}

void uniform_on_host(RandomPosition position, std::span<double> numbers) {
  fill(position, numbers, [](const auto& w) { return std::array{uniform(w[0], w[1]), uniform(w[2], w[3])}; });
}

void normal_on_host(RandomPosition position, std::span<float> numbers) {
  const auto pair = [](std::uint32_t x, std::uint32_t y) {
    const float radius = std::sqrt(-2.0F * std::log(static_cast<float>(x) * 0x1p-32F + 0x1p-33F));
    const double angle = 2 * std::numbers::pi * static_cast<double>(uniform(y));
    return std::array{radius * static_cast<float>(std::cos(angle)), radius * static_cast<float>(std::sin(angle))};
  };
  fill(position, numbers, [&](const auto& w) {
    const auto first = pair(w[0], w[1]), second = pair(w[2], w[3]);
    return std::array{first[0], first[1], second[0], second[1]};
  });
}

void normal_on_host(RandomPosition position, std::span<double> numbers) {
  fill(position, numbers, [](const auto& w) {
    const double radius = std::sqrt(-2 * std::log(uniform(w[0], w[1]) + 0x1p-53));
    const double angle = 2 * std::numbers::pi * uniform(w[2], w[3]);
    return std::array{radius * std::cos(angle), radius * std::sin(angle)};
  });
}

std::string random_header() {
  return substitute(header_text, {{"rounds", std::to_string(rounds)},
                                  {"multiplier_0", std::to_string(multiplier_0)},
                                  {"multiplier_1", std::to_string(multiplier_1)},
                                  {"growth_0", std::to_string(growth_0)},
                                  {"growth_1", std::to_string(growth_1)}});
}

}  // namespace maxwell_dg::rtcg
