#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "rtcg/compile/compiler.hpp"

/// The text of kernels that fill arrays with random numbers.
namespace maxwell_dg::rtcg {

/// How the elements of one block are made from its words `w`.
struct RandomRecipe {
  std::string name;
  std::string statements{};         ///< before the values
  std::vector<std::string> values;  ///< an element each
};
[[nodiscard]] RandomRecipe uniform_recipe(Dtype dtype);  ///< real or complex, as is the next
[[nodiscard]] RandomRecipe normal_recipe(Dtype dtype);
[[nodiscard]] RandomRecipe integer_recipe(Dtype dtype);
[[nodiscard]] RandomRecipe bit_recipe(Dtype dtype);

inline constexpr std::size_t random_group_size = 256;  ///< on a CPU 1

/// The kernel `random_numbers` takes the buffer; int64 offset, size, run of blocks for a work-item of a CPU; uint64
/// seed, stream, first block, low and count of the range of integers. The elements are no complex numbers.
[[nodiscard]] KernelSource random_source(const RandomRecipe& recipe, Dtype dtype, bool is_cpu);

inline constexpr std::size_t sobol_words = 33;  ///< of each dimension: 32 direction numbers, and what shifts its points

/// The kernel `sobol_points` takes the words of all dimensions and the points, one row a dimension; int64 points a row,
/// number of the first, run of points for a group. Dimensions lie along the second axis of the launch.
[[nodiscard]] KernelSource sobol_source(Dtype dtype, bool is_cpu);

}  // namespace maxwell_dg::rtcg
