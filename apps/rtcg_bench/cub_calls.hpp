#pragma once

#include <cstddef>
#include <cstdint>

/// CUB's algorithms, compiled by nvcc; addresses are of device memory. Without scratch memory each says in `bytes` how
/// much it takes, else it puts its work into the stream. CUDA's error code, 0 when all is well.
namespace maxwell_dg::bench::cub_calls {

struct Scratch {
  void* memory;
  std::size_t* bytes;
};

int sum(Scratch scratch, const float* x, float* total, std::int64_t count, void* stream);
int inclusive_sum(Scratch scratch, const std::int32_t* x, std::int32_t* sums, std::int64_t count, void* stream);
int sort(Scratch scratch, const std::uint32_t* keys, std::uint32_t* sorted, std::int64_t count, void* stream);
struct Pairs {
  const std::uint32_t *keys, *values;
  std::uint32_t *sorted_keys, *sorted_values;
};
int sort_pairs(Scratch scratch, const Pairs& pairs, std::int64_t count, void* stream);

}  // namespace maxwell_dg::bench::cub_calls
