#pragma once

#include <string>
#include <vector>

#include "core/device/device.hpp"
#include "rtcg/array/argument_code.hpp"
#include "rtcg/compile/compiler.hpp"

/// The text of elementwise kernels.
namespace maxwell_dg::rtcg {

/// What is done at each index.
struct ElementwiseOperation : ElementText {
  std::string name;
  std::string preamble;  ///< declarations before the kernel
};

/// How a kernel runs through its elements: `rows` times `columns`, the columns along the last of the joined axes.
struct ElementwiseShape {
  enum class Step { broadcast, next, strided };  ///< along the columns: the same element, the next one, any
  bool is_cpu{};
  bool has_long_indices{};  ///< int64 where int32 would overflow
  std::size_t axes = 1;     ///< joined ones; all but the last are what a row's number is taken apart into
  std::size_t lanes = 1;    ///< more than 1: contiguous elements move in packs of that many
  std::vector<Step> steps;  ///< of each argument; used for element arrays
};

inline constexpr const char* elementwise_kernel_name = "elementwise";
/// Work-items of a group; on a CPU 1, which runs through many elements.
inline constexpr std::size_t elementwise_group_size = 256;

/// The kernel's parameters are, each int64:
/// - columns; rows, except with packs; on a CPU the runs of columns and of rows of one work-item, else, except with
///   packs, log2 of the columns that a group takes at once;
/// - the extents of the outer axes; first and step of `i` when it is used;
/// then those of each argument, strides of all axes included, except with packs.
[[nodiscard]] KernelSource elementwise_source(const ElementwiseOperation& operation, const ElementwiseShape& shape);

}  // namespace maxwell_dg::rtcg
