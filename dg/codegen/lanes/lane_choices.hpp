#pragma once

#include <span>

#include "dg/schedule/slicing_traits.hpp"

namespace maxwell_dg::dg::slicings {

/// A stage is one kernel. A work-item computes blocks of elements, each element in one SIMD lane: for CPUs.
struct Lanes {
  int lanes = 4;          ///< elements of a block, and numbers of a vector
  int nodes_at_once = 1;  ///< nodes, at most, whose sums are in registers together: an operand is loaded once for all
  Parts parts = Parts::together;
  bool operator==(const Lanes&) const = default;
};

[[nodiscard]] Traits traits_of(const Lanes& lanes);
[[nodiscard]] std::span<const Choice> choices_of(const Lanes& lanes);
[[nodiscard]] Slicing kernels_of(const Lanes& lanes);

}  // namespace maxwell_dg::dg::slicings
