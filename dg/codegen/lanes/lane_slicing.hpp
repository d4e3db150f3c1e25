#pragma once

#include "dg/codegen/slicing.hpp"

namespace maxwell_dg::dg {

/// The slicing Schedule::Lanes: a stage is one kernel, each SIMD lane computes an element.
[[nodiscard]] Slicing lane_slicing();

}  // namespace maxwell_dg::dg
