#pragma once

#include <cstdint>
#include <span>

/// What a C++ programmer writes for a CPU, with OpenMP where the compiler has it.
namespace maxwell_dg::bench::host {

[[nodiscard]] int threads();

void linear_combination(float a, std::span<const float> x, float b, std::span<const float> y, std::span<float> z);
void fill(float value, std::span<float> z);
void copy_every_second(std::span<const float> x, std::span<float> z);
[[nodiscard]] float sum(std::span<const float> x);
[[nodiscard]] float dot(std::span<const float> x, std::span<const float> y);
/// In two passes over a run for each thread.
void inclusive_scan(std::span<const std::int32_t> x, std::span<std::int32_t> z);
void multiply(std::span<const std::int64_t> row_begin, std::span<const std::int32_t> column,
              std::span<const float> values, std::span<const float> x, std::span<float> y);
/// The parallel sort of GCC's library.
void sort(std::span<std::uint32_t> keys);
/// c = a b, of n x n numbers, row by row.
void matrix_product(std::int64_t n, std::span<const float> a, std::span<const float> b, std::span<float> c);

}  // namespace maxwell_dg::bench::host
