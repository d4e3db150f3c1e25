#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dg/lowering/tensor_weights.hpp"
#include "dg/lowering/varying_media.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

// Arrays that kernels of a stage read beside the state.

/// The array of neighbours, [element][face], as in Connectivity; elements that pad the last block are their own
/// neighbours.
[[nodiscard]] core::Buffer upload_neighbours(const StageSetting& setting);
/// The array of outside nodes, [element][face][node]: Np x the neighbouring element + its node, or -1 - boundary face.
/// Throws std::invalid_argument if these numbers do not fit in 32 bits.
[[nodiscard]] core::Buffer upload_outside_nodes(const StageSetting& setting);
/// The array of constants, [element][constant]; zero in elements that pad the last block.
[[nodiscard]] core::Buffer upload_constants(const StageSetting& setting);
/// The numbers of media at the volume points of curved elements, [curved element][number][point]; empty where media do
/// not vary within elements.
[[nodiscard]] core::Buffer upload_at_volume_points(const StageSetting& setting,
                                                   std::span<const double> (VaryingMedia::*numbers)(std::size_t,
                                                                                                    std::size_t) const);
/// The inverse weights of tensors at the volume points of curved elements, [curved element][number][point].
[[nodiscard]] core::Buffer upload_inverse_weights(const StageSetting& setting, const TensorWeights& tensors);
/// Coordinates of the nodes of boundary faces, [boundary face][axis][node]; empty if no condition depends on position.
[[nodiscard]] std::vector<double> boundary_nodes(const StageSetting& setting);

}  // namespace maxwell_dg::dg
