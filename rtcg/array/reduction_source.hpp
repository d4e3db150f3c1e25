#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rtcg/array/argument_code.hpp"
#include "rtcg/compile/compiler.hpp"

/// The text of reductions.
namespace maxwell_dg::rtcg {

/// A result besides the first: its dtype, and an expression of `a` and `count`.
struct ReductionResult {
  Dtype dtype{};
  std::string finish;
};

/// result = finish(reduce(reduce(neutral, map(0)), map(1)) ...), in any order and grouping.
struct Reduction {
  std::string name;
  ElementText map;      ///< statements, of the elements `x[i]` and of the index `i`, that declare the value `mapped`
  std::string reduce;   ///< an expression of `a` and `b`
  std::string neutral;  ///< an expression
  std::string finish;   ///< an expression of `a` and of `count`, an int64, the elements reduced to one
  std::string type;     ///< of the values in between
  Dtype result{};
  std::string preamble;
  std::vector<ReductionResult> more{};  ///< results of the same elements
};

/// How the work is laid out. There are `outputs` results, each of `reduced` elements, which are cut into `parts`.
struct ReductionShape {
  bool is_cpu{};
  std::size_t output_axes{}, reduced_axes{};  ///< joined ones, in this order
  /// Work-items (on a CPU: lanes of one) lie side by side along the outputs; else along the elements of an output.
  bool is_along_outputs{};
  bool has_one_part{};
  bool is_next{};  ///< the elements along which work-items lie follow each other in memory, for all arrays
};

inline constexpr std::size_t reduction_group_size = 256;  ///< on a CPU 1
inline constexpr std::size_t reduction_lanes = 32;        ///< values that one work-item of a CPU reduces side by side
inline constexpr std::size_t reduction_outputs = 512;     ///< the same along outputs

/// The kernel `reduce_parts` takes int64 outputs, elements, parts, part_size, the extents of all axes, the arguments
/// with strides of all axes; then, with one part, the result and its int64 offset, else the memory for the parts'
/// values. `reduce_rest` takes outputs, elements, parts, those values, and the result and its offset; of more results
/// each the same. The work-groups of both count through what there is to do in steps of GROUP_COUNT(0).
[[nodiscard]] KernelSource reduction_source(const Reduction& reduction, const ReductionShape& shape);

}  // namespace maxwell_dg::rtcg
