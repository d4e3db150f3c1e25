#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/device/device.hpp"
#include "core/round_up.hpp"
#include "rtcg/loop/loop_nest.hpp"
#include "rtcg/tune/search_space.hpp"

namespace maxwell_dg::rtcg {

/// How a dimension of the result is laid over the device: groups run in parallel, in each `threads` work-items, each
/// with `registers` points in registers, each point `lanes` wide. Point r of work-item t is
/// ((r / chunk) threads chunk + t chunk + r % chunk) lanes: neighbours in memory go together in chunks.
///
/// Where the tiles do not fill the extent, the last one is moved back and computes some points twice.
struct OutputSlice {
  std::string name;
  std::int64_t extent{};
  std::int64_t threads = 1;
  std::int64_t registers = 1;
  std::int64_t lanes = 1;
  std::int64_t chunk = 1;

  [[nodiscard]] std::int64_t tile() const { return threads * registers * lanes; }
  [[nodiscard]] std::int64_t tiles() const { return ceil_divide(extent, tile()); }
  /// Distance between the points of neighbouring work-items.
  [[nodiscard]] std::int64_t thread_step() const { return chunk * lanes; }
  /// Where point r lies behind the first of its work-item.
  [[nodiscard]] std::int64_t point(std::int64_t r) const {
    return (r / chunk) * threads * chunk * lanes + (r % chunk) * lanes;
  }
  /// Does every tile begin at a multiple of `n`?
  [[nodiscard]] bool begins_at_multiples_of(std::int64_t n) const {
    return tile() % n == 0 && (extent % tile() == 0 || (extent - tile()) % n == 0);
  }
};

/// A dimension that is summed over: `tile` steps are unrolled, and staged together.
struct ReductionSlice {
  std::string name;
  std::int64_t extent{};
  std::int64_t tile = 1;
};

/// A part of an input that a group copies to shared memory: what all accesses with these coefficients read of one tile.
struct Stage {
  std::string array;
  std::vector<Affine> axes;           ///< index of the part's beginning in each axis, as a function of tile beginnings
  std::vector<std::int64_t> extents;  ///< of the part
  std::vector<std::int64_t> strides;  ///< in shared memory
  std::size_t contiguous{};           ///< the axis whose neighbours are neighbours in device memory
  std::size_t innermost{};            ///< the same in shared memory
  std::int64_t width = 1;             ///< elements loaded at once
  std::int64_t size{};                ///< elements of shared memory

  [[nodiscard]] std::int64_t loads() const;  ///< of `width` elements each
};

/// One way to compute a nest: everything a generator needs to know besides the nest.
struct Slicing {
  /// A parameter that the configuration leaves out is 1, stages and prefetch are off. Parameters: threads_D,
  /// registers_D for dimensions of the result, tile_D for summed ones, lanes, stage_ARRAY, prefetch, order.
  Slicing(const LoopNest& nest, const Configuration& configuration);

  std::vector<OutputSlice> output;  ///< the one whose neighbours are neighbours in memory first
  std::vector<ReductionSlice> reduction;
  std::vector<Stage> stages;
  std::vector<std::optional<std::size_t>> stage_of;  ///< for each of the assignment's accesses
  bool prefetch = false;  ///< the next tile is loaded while one is computed: two buffers in shared memory
  bool reversed = false;  ///< groups run through the last dimension first
  /// Work-items of a warp along the second dimension, the rest along the first: so that a warp reads a square of shared
  /// memory rather than long rows. 0: work-items in a row, as far as the first dimension goes.
  std::int64_t fold = 0;
  /// Why it cannot be generated, or "".
  std::string refusal;

  [[nodiscard]] std::int64_t threads() const;
  [[nodiscard]] std::int64_t groups() const;
  [[nodiscard]] std::int64_t steps() const;  ///< tiles of the summed dimensions
  [[nodiscard]] std::int64_t lanes() const { return output.front().lanes; }
  [[nodiscard]] std::int64_t shared_elements() const;
  [[nodiscard]] const OutputSlice* find_output(const std::string& name) const;

 private:
  void slice_dimensions(const LoopNest& nest, const Configuration& configuration);
  void add_stage(const LoopNest& nest, std::size_t access);
  [[nodiscard]] std::int64_t tile_of(const std::string& dimension) const;
  void lay_out(const LoopNest& nest, Stage& stage) const;
};

inline constexpr std::int64_t warp_items = 32;

/// Elements of a 16-byte load.
[[nodiscard]] constexpr std::int64_t widest_load(Dtype dtype) {
  return 16 / static_cast<std::int64_t>(size_of(dtype));
}

}  // namespace maxwell_dg::rtcg
