#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "rtcg/loop/assignment.hpp"

namespace maxwell_dg::rtcg {

struct LoopDimension {
  std::string name;
  std::int64_t extent{};
};

/// An array in device memory. `strides` in elements, none negative; left out, rows lie one behind the other.
struct LoopArray {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides{};
};

/// What is to be computed, as a user says it.
struct LoopDescription {
  std::string name;
  std::vector<LoopDimension> dimensions;
  std::vector<LoopArray> arrays;
  std::string assignment;
  Dtype dtype = Dtype::float32;  ///< of all arrays and scalars: float32 or float64
};

/// The same, read and checked: every index stays inside of its array.
struct LoopNest {
  /// Throws CompileError for an assignment that is not well formed, ArrayError for the rest.
  explicit LoopNest(LoopDescription description);

  std::string name;
  Dtype dtype{};
  std::vector<LoopDimension> output;     ///< dimensions of the result, as given
  std::vector<LoopDimension> reduction;  ///< those that are summed over, as in the assignment
  std::vector<LoopArray> arrays;         ///< with strides
  Assignment assignment;

  [[nodiscard]] const LoopArray& array(const std::string& array_name) const;
  /// Where an access reads or writes, in elements from the array's beginning.
  [[nodiscard]] Affine offset(const ArrayAccess& access) const;
  /// Elements from the first to the last of an array.
  [[nodiscard]] static std::int64_t span_of(const LoopArray& array);
  [[nodiscard]] std::int64_t output_points() const;
  [[nodiscard]] std::int64_t reduction_points() const;
  /// Additions, multiplications, divisions and function calls in all, as the assignment has them; a sum over n adds n
  /// times.
  [[nodiscard]] double operations() const;
  /// Is the target read as well? Then no point may be computed twice.
  [[nodiscard]] bool is_in_place() const;

 private:
  /// Each dimension steps beyond what those of smaller steps reach.
  void check_that_points_are_apart() const;
};

}  // namespace maxwell_dg::rtcg
