#pragma once

#include <string_view>

namespace maxwell_dg::dg::kernels {

/// Tiles by mirror sums: what these are, and what takes the place of the texts of dg/codegen/tiles.
extern const std::string_view mirror_sums, mirror_squares, mirror_padding, mirror_operands, mirror_gather,
    mirror_boundaries, mirror_fluxes, mirror_volume, mirror_lift, mirror_results;

}  // namespace maxwell_dg::dg::kernels
