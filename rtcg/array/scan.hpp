#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rtcg/array/scan_source.hpp"

namespace maxwell_dg::rtcg {

/// A kernel that takes elements together in order and has what each of them brings it to, from a few words of C:
///
///     const ScanKernel running_sum({.arguments = "const int32* x, int32* z", .input = "x[i]", .scan = "a + b",
///                                   .neutral = "0", .output = "z[i] = item", .dtype = Dtype::int32});
///     running_sum(x, z);
///
/// `item` is the scan up to and with element i, `prev_item` that before it, for an exclusive scan: the neutral element
/// where i, or a segment, begins. `last_item` is the scan of all. Arguments are those of ElementwiseKernel; they are
/// read and written in C order, and may be the same array. Output statements may write anywhere:
/// `if (item != prev_item) z[prev_item] = x[i]` picks elements out. `scan` must not depend on grouping; order is kept.
/// The grouping, and with it the rounding of reals, is the same in every run on one device, but with `chained`.
/// A cheap value; thread-safe.
class ScanKernel {
 public:
  struct Description {
    std::string_view arguments;
    std::string_view input;               ///< expression of x[i], i
    std::string_view scan;                ///< expression of a and b, associative
    std::string_view neutral;             ///< expression
    std::string_view output;              ///< statements
    std::string_view segment_start = "";  ///< expression of x[i], i: whether the scan starts anew here
    Dtype dtype = Dtype::float64;         ///< of a, b and items
    /// The type of a, b and items, and its bytes, where it is none of the above: a struct of the preamble, say.
    std::string_view type = "";
    std::size_t type_bytes = 0;
    std::string_view name = "scan";
    std::string_view preamble = "";
  };
  explicit ScanKernel(const Description& description);
  ScanKernel(std::vector<Argument> arguments, const Description& description);

  struct LaunchOptions {
    std::optional<std::int64_t> count{};  ///< elements; those of the arrays that occur as x[i] if left out
    ScanMethod method = ScanMethod::automatic;
  };
  /// Enqueues the kernels. Throws what ElementwiseKernel::launch throws, and ShapeError for arrays that occur as x[i]
  /// and whose elements lie in no evenly spaced run.
  void launch(std::span<const Operand> operands, const LaunchOptions& options) const;
  void launch(std::initializer_list<Operand> operands, const LaunchOptions& options) const {
    launch(std::span(operands.begin(), operands.size()), options);
  }
  template <class... Operands>
  void operator()(const Operands&... operands) const {
    launch({Operand(operands)...}, {});
  }

 private:
  Scan scan_;
  ElementText text_;  // all texts in one, for the check of operands
  std::string key_;
};

/// Sums and products up to and with each element, in C order, of the array's shape; in int64 or uint64 for integers and
/// bool, else in the array's dtype.
[[nodiscard]] DeviceArray cumsum(const DeviceArray& a);
[[nodiscard]] DeviceArray cumprod(const DeviceArray& a);

}  // namespace maxwell_dg::rtcg
