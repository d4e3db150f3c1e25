#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include "apps/rtcg_bench/cub_calls.hpp"

namespace maxwell_dg::bench::cub_calls {

namespace {

cudaStream_t of(void* stream) {
  return static_cast<cudaStream_t>(stream);
}

}  // namespace

int sum(Scratch scratch, const float* x, float* total, std::int64_t count, void* stream) {
  return ::cub::DeviceReduce::Sum(scratch.memory, *scratch.bytes, x, total, count, of(stream));
}

int inclusive_sum(Scratch scratch, const std::int32_t* x, std::int32_t* sums, std::int64_t count, void* stream) {
  return ::cub::DeviceScan::InclusiveSum(scratch.memory, *scratch.bytes, x, sums, count, of(stream));
}

int sort(Scratch scratch, const std::uint32_t* keys, std::uint32_t* sorted, std::int64_t count, void* stream) {
  return ::cub::DeviceRadixSort::SortKeys(scratch.memory, *scratch.bytes, keys, sorted, count, 0, 32, of(stream));
}

int sort_pairs(Scratch scratch, const Pairs& pairs, std::int64_t count, void* stream) {
  return ::cub::DeviceRadixSort::SortPairs(scratch.memory, *scratch.bytes, pairs.keys, pairs.sorted_keys, pairs.values,
                                         pairs.sorted_values, count, 0, 32, of(stream));
}

}  // namespace maxwell_dg::bench::cub_calls
