#pragma once

#include <cstddef>
#include <optional>

#include "core/dtype.hpp"
#include "rtcg/compile/compiler.hpp"

/// The text of radix sorts: stable, one digit of the keys at a time, the least significant first.
namespace maxwell_dg::rtcg {

enum class SortOrder { ascending, descending };

struct SortShape {
  Dtype key{};  ///< not complex
  std::optional<Dtype> value{};
  SortOrder order = SortOrder::ascending;
  bool is_cpu{};  ///< one work-item takes a whole part, else a group takes it tile by tile
};

inline constexpr int sort_digit_bits = 8;
inline constexpr std::size_t sort_group_size = 1U << sort_digit_bits;  ///< a work-item for each digit; on a CPU 1

/// Elements of a tile.
[[nodiscard]] std::size_t sort_tile_size(const SortShape& shape);

/// Keys are passed as unsigned integers of their size. The kernel `count_digits` takes the keys; int64 offset, size and
/// part_size; int32 shift; int64 counts[digit][part]. `move_by_digit` takes keys and offset, the same three; the counts
/// before each, in order; the keys to write; then, with values, values, their offset, and the values to write.
[[nodiscard]] KernelSource sort_source(const SortShape& shape);

}  // namespace maxwell_dg::rtcg
