#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "core/mpi/communicator.hpp"

/// What ranks find together, each from what it has. All of it is collective; a rank that is alone finds its own.
namespace maxwell_dg::core {

[[nodiscard]] inline double largest_of(const Communicator& ranks, double value) {
  ranks.max({&value, 1});
  return value;
}

[[nodiscard]] inline double sum_of(const Communicator& ranks, double value) {
  ranks.sum({&value, 1});
  return value;
}

/// Is it so on some rank?
[[nodiscard]] inline bool on_any(const Communicator& ranks, bool is_so) {
  return largest_of(ranks, is_so ? 1 : 0) != 0;
}

/// What all of them have, rank by rank.
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::vector<T> all_of(const Communicator& ranks, const std::vector<T>& mine) {
  if (ranks.size() == 1) return mine;
  std::vector<T> all;
  for (const auto& of_rank : ranks.gather_to_all(std::as_bytes(std::span(mine)))) {
    const std::vector<T> theirs = values_of<T>(of_rank);
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  return all;
}

/// Of all their values, which are at least 0, the one with the number `n` in ascending order.
[[nodiscard]] inline double nth_of(const Communicator& ranks, std::vector<double> values, std::size_t n) {
  if (ranks.size() == 1) {
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(n);
    std::ranges::nth_element(values, nth);
    return *nth;
  }
  std::ranges::sort(values);
  std::uint64_t low = 0, high = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
  while (low < high) {  // doubles that are not negative ascend as their bits do
    const std::uint64_t middle = low + (high - low) / 2;
    const auto up_to = std::ranges::upper_bound(values, std::bit_cast<double>(middle)) - values.begin();
    if (sum_of(ranks, static_cast<double>(up_to)) > static_cast<double>(n)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return std::bit_cast<double>(low);
}

}  // namespace maxwell_dg::core
