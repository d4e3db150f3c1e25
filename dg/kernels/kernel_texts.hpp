#pragma once

#include <string_view>

/// The kernels as text, with places for what is generated: see the .kernel files beside this one.
namespace maxwell_dg::dg::kernels {

/// What a schedule's slicing means, in front of every kernel but nodal_values.
extern const std::string_view nodes_in_parallel, lanes_in_vectors;

/// Memory on the chip, in front of the kernels of a stage for GPUs.
extern const std::string_view on_chip_memory;

/// A whole stage in one kernel. In front of its forms for GPUs, and in both of them: copies to the chip; what will be
/// read soon; the update.
extern const std::string_view on_chip, stage_announcements, stage_residuals, stage_update;
/// What is computed once for all stages; and the state in another basis.
extern const std::string_view prepare, basis;
/// By tiles: the kernel, who computes what of a tile and at which nodes, what pads rows on the chip, how traces come
/// from neighbours and walls, what each part of the equations puts into it, two ways to go through the steps of a
/// product, and two ways to multiply tiles of matrices.
extern const std::string_view stage_tiles, tile_shape, stage_nodes, stage_padding, stage_gather, stage_wall,
    stage_volume, stage_lift, stage_lift_run, stage_steps, stage_steps_ahead, stage_equations, stage_results,
    multiply_add, tensor_cores;
/// The same by mirror sums: what they are, and what takes the place of the texts above.
extern const std::string_view mirror_sums, mirror_squares, mirror_padding, mirror_operands, mirror_gather, mirror_walls,
    mirror_fluxes, mirror_volume, mirror_lift, mirror_results;
/// An element an item.
extern const std::string_view stage_elements;
/// A block of elements an item, and what it does for some of their nodes.
extern const std::string_view stage_lanes, stage_lanes_rows;

/// Changes with any of the texts.
extern const std::string_view digest;

extern const std::string_view volume, surface, update, energy, sample, fourier, nodal_values, element_term, face_term;
/// The power of a term, and what powers put in by and by.
extern const std::string_view power, power_sums;

}  // namespace maxwell_dg::dg::kernels
