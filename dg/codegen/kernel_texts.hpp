#pragma once

#include <string_view>

/// The kernels as text, with places for what is generated: see the .kernel files beside this one, and those beside the
/// generator of each slicing.
namespace maxwell_dg::dg::kernels {

/// What a schedule's slicing means, in front of every kernel but nodal_values.
extern const std::string_view nodes_in_parallel, lanes_in_vectors;

/// Parts of templates of others.
extern const std::string_view field_order, load_of_element, outside_state, state;

/// Memory on the chip, in front of the kernels of a stage for GPUs.
extern const std::string_view on_chip_memory;

/// A whole stage in one kernel. In front of its forms for GPUs, and in both of them: copies to the chip; what will be
/// read soon; the update.
extern const std::string_view on_chip, stage_announcements, stage_residuals, stage_update;
/// What is computed once for all stages; and the state in another basis.
extern const std::string_view prepare, basis;

/// What is read from a state.
extern const std::string_view energy, sample, fourier, nodal_values;
/// What only some elements and faces have.
extern const std::string_view element_term, face_term;
/// The power of a term, and what powers put in by and by.
extern const std::string_view power, power_sums;

}  // namespace maxwell_dg::dg::kernels
