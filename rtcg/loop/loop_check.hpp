#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/device/device.hpp"
#include "rtcg/loop/loop_nest.hpp"

namespace maxwell_dg::rtcg {

/// Arrays full of reproducible numbers between 1/4 and 1, and what the host makes of them: the oracle of a loop kernel.
class LoopCheck {
 public:
  explicit LoopCheck(const LoopNest& nest);

  /// Buffers in the nest's order. The target holds numbers, too, where it is read.
  [[nodiscard]] std::vector<core::Buffer> allocate(const core::Device& device) const;
  /// Fills them; the target with NaN where it is not read, so that a point that is not written shows.
  void fill(const core::Stream& stream, std::span<const core::Buffer> buffers) const;
  /// Fills the target alone, as above.
  void fill_target(const core::Stream& stream, std::span<const core::Buffer> buffers) const;
  /// The values of the scalars in the assignment's order.
  [[nodiscard]] std::vector<double> scalars() const;
  /// Compares a result with the host's: all points of a small one, some hundreds of a large one, corners among them.
  /// "", or the first point that differs by more than rounding: "C[3, 4] = 1.5, not 1.25".
  [[nodiscard]] std::string compare(const core::Stream& stream, std::span<const core::Buffer> buffers);

 private:
  using Point = std::vector<std::int64_t>;  ///< dimensions of the result, then those that are summed over
  /// An access in memory: constant + sum of steps * point.
  struct Flat {
    std::int64_t constant{};
    std::vector<std::int64_t> steps{};
    [[nodiscard]] std::int64_t at(const Point& point) const;
  };
  struct Result {
    double value{};
    double size{};  ///< the same with every number positive: what rounding errors are relative to
  };
  [[nodiscard]] std::vector<std::byte> content(const LoopArray& array) const;
  [[nodiscard]] Result evaluate(const LoopTerm& term, const Point& point) const;
  [[nodiscard]] Result sum(const LoopTerm& term, Point point) const;
  [[nodiscard]] Flat flat(const ArrayAccess& access) const;
  [[nodiscard]] Point output_point(std::int64_t number) const;
  [[nodiscard]] std::vector<std::int64_t> points_to_check() const;
  [[nodiscard]] std::string difference(std::span<const std::byte> target, std::int64_t number,
                                       const Result& expected) const;
  [[nodiscard]] std::int64_t first_unwritten(std::span<const std::byte> target) const;
  [[nodiscard]] std::size_t number_of(const std::string& array) const;

  const LoopNest& nest_;
  std::vector<Flat> accesses_;
  Flat target_;
  std::vector<std::byte> target_content_;
  std::vector<std::pair<std::int64_t, Result>> expected_;  ///< number of a point of the result; made when first needed
};

}  // namespace maxwell_dg::rtcg
