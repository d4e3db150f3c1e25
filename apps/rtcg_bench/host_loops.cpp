#include "apps/rtcg_bench/host_loops.hpp"

#include <algorithm>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#include <parallel/algorithm>
#endif

// As good as a compiler told of this very processor: the loader picks the best of three builds. Sanitizers cannot do
// with that.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define FOR_EVERY_PROCESSOR __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_EVERY_PROCESSOR
#endif

namespace maxwell_dg::bench::host {

namespace {

std::int64_t size_of(const auto& span) {
  return static_cast<std::int64_t>(span.size());
}

}  // namespace

int threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

FOR_EVERY_PROCESSOR void linear_combination(float a, std::span<const float> x, float b, std::span<const float> y,
                                            std::span<float> z) {
  const float *from_x = x.data(), *from_y = y.data();
  float* to = z.data();
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < size_of(z); ++i) to[i] = a * from_x[i] + b * from_y[i];
}

FOR_EVERY_PROCESSOR void fill(float value, std::span<float> z) {
  float* to = z.data();
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < size_of(z); ++i) to[i] = value;
}

FOR_EVERY_PROCESSOR void copy_every_second(std::span<const float> x, std::span<float> z) {
  const float* from = x.data();
  float* to = z.data();
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < size_of(z); ++i) to[i] = from[2 * i];
}

FOR_EVERY_PROCESSOR float sum(std::span<const float> x) {
  const float* from = x.data();
  float total = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : total)
  for (std::int64_t i = 0; i < size_of(x); ++i) total += from[i];
  return total;
}

FOR_EVERY_PROCESSOR float dot(std::span<const float> x, std::span<const float> y) {
  const float *from_x = x.data(), *from_y = y.data();
  float total = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : total)
  for (std::int64_t i = 0; i < size_of(x); ++i) total += from_x[i] * from_y[i];
  return total;
}

FOR_EVERY_PROCESSOR void inclusive_scan(std::span<const std::int32_t> x, std::span<std::int32_t> z) {
  const std::int64_t parts = threads(), run = (size_of(x) + parts - 1) / parts;
  std::vector<std::int32_t> before(static_cast<std::size_t>(parts) + 1, 0);
  const auto end_of = [&](std::int64_t part) { return std::min((part + 1) * run, size_of(x)); };
#pragma omp parallel for schedule(static)
  for (std::int64_t part = 0; part < parts; ++part) {
    std::int32_t total = 0;
    for (std::int64_t i = part * run; i < end_of(part); ++i) total += x[static_cast<std::size_t>(i)];
    before[static_cast<std::size_t>(part) + 1] = total;
  }
  for (std::size_t part = 1; part < before.size(); ++part) before[part] += before[part - 1];
#pragma omp parallel for schedule(static)
  for (std::int64_t part = 0; part < parts; ++part) {
    std::int32_t total = before[static_cast<std::size_t>(part)];
    for (std::int64_t i = part * run; i < end_of(part); ++i) {
      total += x[static_cast<std::size_t>(i)];
      z[static_cast<std::size_t>(i)] = total;
    }
  }
}

FOR_EVERY_PROCESSOR void multiply(std::span<const std::int64_t> row_begin, std::span<const std::int32_t> column,
                                  std::span<const float> values, std::span<const float> x, std::span<float> y) {
  const std::int64_t* begin = row_begin.data();
  const std::int32_t* at = column.data();
  const float *value = values.data(), *from = x.data();
  float* to = y.data();
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < size_of(y); ++r) {
    float total = 0;
    for (std::int64_t k = begin[r]; k < begin[r + 1]; ++k) total += value[k] * from[at[k]];
    to[r] = total;
  }
}

void sort(std::span<std::uint32_t> keys) {
#ifdef _OPENMP
  __gnu_parallel::sort(keys.begin(), keys.end());
#else
  std::ranges::sort(keys);
#endif
}

FOR_EVERY_PROCESSOR void matrix_product(std::int64_t n, std::span<const float> a, std::span<const float> b,
                                        std::span<float> c) {
  const float *from_a = a.data(), *from_b = b.data();
  float* to = c.data();
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    std::fill_n(to + i * n, n, 0.0F);
    for (std::int64_t k = 0; k < n; ++k) {
      const float factor = from_a[i * n + k];
#pragma omp simd
      for (std::int64_t j = 0; j < n; ++j) to[i * n + j] += factor * from_b[k * n + j];
    }
  }
}

}  // namespace maxwell_dg::bench::host
