#pragma once

#include <chrono>

#include "dg/mesh/gmsh/request.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// The tetrahedra of a `.msh`, or of a geometry, not yet prepared; see GmshReader. Gmsh runs in a child process (the
/// program maxwell_dg_gmsh), which the system lets read and compute alone and bounds in memory and time, so whatever a
/// damaged file does to Gmsh is a MeshError here: a crash, an exit, a hang, gigabytes. Gmsh tells what it does; a step
/// that it is silent in for `longest_silence` has no end. Any thread may call this at any time.
[[nodiscard]] Mesh read_by_gmsh(const GmshRequest& request,
                                std::chrono::seconds longest_silence = std::chrono::minutes{30});

}  // namespace maxwell_dg::dg
