#pragma once

#include <cstddef>
#include <vector>

#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/region_set.hpp"

namespace maxwell_dg::dg {

/// The faces between enclosed cells and others, as those others see them: their normals point into what is enclosed.
/// Exterior faces of the mesh (a conductor's, say) are none of them; walls inside it are, with enclosed `regions`
/// behind them. `enclosed`: [cell].
[[nodiscard]] std::vector<ElementFace> enclosing_surface(const Connectivity& connectivity,
                                                         const std::vector<bool>& enclosed,
                                                         const RegionSet& regions = {});

}  // namespace maxwell_dg::dg
