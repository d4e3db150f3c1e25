#pragma once

#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/findings.hpp"
#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::config {

/// [boundary face] the entry of config.symmetry in whose plane it lies, -1: in none. Adds a finding for a plane that
/// the mesh does not end at, and for each surface with faces in a plane that `boundaries` or `ports` name. `box`:
/// around the mesh, of which `mesh` may be a part: then no face of it need lie in a plane.
[[nodiscard]] std::vector<int> symmetry_faces(const Config& config, const dg::Mesh& mesh,
                                              const dg::Connectivity& connectivity, const dg::BoundingBox& box,
                                              bool is_part, Findings& findings);

}  // namespace maxwell_dg::config
