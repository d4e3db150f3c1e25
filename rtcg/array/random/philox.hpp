#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "core/half.hpp"

/// Random numbers by counting: the n-th number is a function of n, so any of them is made anywhere without the others.
namespace maxwell_dg::rtcg {

/// Philox 4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11, section 3.3.
[[nodiscard]] std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                      std::array<std::uint32_t, 2> key);

/// Where in a sequence numbers are taken: the key is `seed`, the counter the number of the block, then `stream`, lower
/// words first. A block gives four words of 32 bits.
struct RandomPosition {
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
  std::uint64_t block = 0;
};
[[nodiscard]] std::array<std::uint32_t, 4> random_words(const RandomPosition& position);

/// What the device makes, on the host: uniform numbers to the bit, normal ones up to the rounding of log, sin and cos.
/// A block gives four float, two double.
void uniform_on_host(RandomPosition position, std::span<float> numbers);
void uniform_on_host(RandomPosition position, std::span<double> numbers);
void normal_on_host(RandomPosition position, std::span<float> numbers);
void normal_on_host(RandomPosition position, std::span<double> numbers);

/// "random.h" for kernel text:
///
/// - random_words, a struct of uint32 x, y, z, w; `random_words random_block(seed, stream, block)`, all uint64
/// - `float32 uniform_float32(uint32)` with 24 bits, `float64 uniform_float64(uint32, uint32)` with 53, both in [0, 1)
/// - `normal_float32(uint32, uint32, z)` and `normal_float64(x, y, z, w, z)`: two normal numbers each into z[0], z[1]
[[nodiscard]] std::string random_header();

}  // namespace maxwell_dg::rtcg
