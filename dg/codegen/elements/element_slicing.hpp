#pragma once

#include "dg/codegen/slicing.hpp"

namespace maxwell_dg::dg {

/// Schedule::Elements: one kernel a stage, a work-item an element.
[[nodiscard]] Slicing element_slicing();

}  // namespace maxwell_dg::dg
