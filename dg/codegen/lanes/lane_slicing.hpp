#pragma once

#include "dg/codegen/slicing.hpp"

namespace maxwell_dg::dg {

/// Schedule::Lanes: one kernel a stage, an element a SIMD lane.
[[nodiscard]] Slicing lane_slicing();

}  // namespace maxwell_dg::dg
