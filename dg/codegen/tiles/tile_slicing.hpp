#pragma once

#include "dg/codegen/slicing.hpp"

namespace maxwell_dg::dg {

/// Schedule::Tiles: one kernel a stage, a warp computes tiles of elements and nodes.
[[nodiscard]] Slicing tile_slicing();

}  // namespace maxwell_dg::dg
