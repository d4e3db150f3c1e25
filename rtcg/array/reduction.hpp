#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rtcg/array/reduction_source.hpp"

namespace maxwell_dg::rtcg {

/// A kernel that takes many elements together to one, from a few words of C:
///
///     const ReductionKernel dot({.arguments = "const float32* x, const float32* y",
///                                .map = "x[i] * y[i]", .reduce = "a + b", .neutral = "0", .result = Dtype::float32});
///     const float value = dot(x, y).item<float>();
///
/// Arguments are those of ElementwiseKernel, all of them inputs; they broadcast to one shape. `i` counts the elements
/// that are reduced, in C order. `reduce` must not depend on order or grouping; the order taken is the same in every
/// run on one device. A cheap value; thread-safe.
class ReductionKernel {
 public:
  struct Description {
    std::string_view arguments;
    std::string_view map;           ///< expression of x[i], i
    std::string_view reduce;        ///< expression of a and b
    std::string_view neutral;       ///< expression; what no elements reduce to
    Dtype result = Dtype::float64;  ///< of the result
    std::string_view finish = "a";  ///< expression of a, and of the count of elements, to be stored
    std::string_view name = "reduction";
    std::string_view preamble = "";
    /// The type of a and b, and its bytes, where it is not that of the result: a struct of the preamble, say.
    std::string_view type = "";
    std::size_t type_bytes = 0;
    std::vector<ReductionResult> more{};  ///< results besides, e.g. the largest with the sum, from one pass
    std::string_view statements = "";     ///< run before `map`, which may use what they declare
  };
  explicit ReductionKernel(const Description& description);
  ReductionKernel(std::vector<Argument> arguments, const Description& description);

  struct Options {
    std::optional<std::vector<std::int64_t>> axes{};  ///< that are reduced; all if left out
    bool keeps_axes = false;                          ///< the reduced axes stay, with extent 1
  };
  /// The results, an array of the shape that is left. Throws what ElementwiseKernel::launch throws, IndexError for an
  /// axis that is not there.
  [[nodiscard]] DeviceArray reduce(std::span<const Operand> operands, const Options& options) const;
  [[nodiscard]] DeviceArray reduce(std::initializer_list<Operand> operands, const Options& options) const {
    return reduce(std::span(operands.begin(), operands.size()), options);
  }
  /// The same, and behind it the results besides.
  [[nodiscard]] std::vector<DeviceArray> reduce_to_all(std::span<const Operand> operands, const Options& options) const;
  [[nodiscard]] std::vector<DeviceArray> reduce_to_all(std::initializer_list<Operand> operands,
                                                       const Options& options) const {
    return reduce_to_all(std::span(operands.begin(), operands.size()), options);
  }
  template <class... Operands>
  [[nodiscard]] DeviceArray operator()(const Operands&... operands) const {
    return reduce({Operand(operands)...}, {});
  }

 private:
  Reduction reduction_;
  std::size_t type_bytes_;
  std::string key_;
};

}  // namespace maxwell_dg::rtcg
