#pragma once

#include <span>

#include "dg/schedule/slicing_traits.hpp"

namespace maxwell_dg::dg::slicings {

/// A stage is one kernel. A work-item computes an element, or one part of its equations. Matrices are literals in the
/// kernel's text: for low orders.
struct Elements {
  int elements = 32;        ///< of a group: a multiple of 32
  int resident_groups = 1;  ///< as in Tiles
  Parts parts = Parts::together;
  Basis basis = Basis::cartesian;
  bool operator==(const Elements&) const = default;
};

[[nodiscard]] Traits traits_of(const Elements& elements);
[[nodiscard]] std::span<const Choice> choices_of(const Elements& elements);
[[nodiscard]] Slicing kernels_of(const Elements& elements);

}  // namespace maxwell_dg::dg::slicings
