#pragma once

#include <string_view>

namespace maxwell_dg::dg::kernels {

/// A whole stage, a block of elements a work-item; and what it does for some of their nodes.
extern const std::string_view stage_lanes, stage_lanes_rows;

}  // namespace maxwell_dg::dg::kernels
