#pragma once

#include <string_view>

namespace maxwell_dg::dg::kernels {

/// By tiles: the kernel, who computes what of a tile and at which nodes, what pads rows in shared memory, how traces
/// come from neighbours and walls, what each part of the equations puts into it, two ways to go through the steps of a
/// product, and two ways to multiply tiles of matrices.
extern const std::string_view stage_tiles, tile_shape, stage_by_node, stage_padding, stage_gather, stage_boundary,
    stage_volume, stage_lift, stage_lift_run, stage_steps, stage_steps_ahead, stage_equations, stage_results,
    multiply_add, tensor_cores;

}  // namespace maxwell_dg::dg::kernels
