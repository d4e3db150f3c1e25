#pragma once

#include "dg/codegen/slicing.hpp"

namespace maxwell_dg::dg {

/// The slicing Schedule::Elements: a stage is one kernel, a work-item computes an element.
[[nodiscard]] Slicing element_slicing();

}  // namespace maxwell_dg::dg
