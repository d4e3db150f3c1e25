#pragma once

#include <filesystem>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// The tetrahedra of a Gmsh file as Gmsh gives them, not yet prepared; a `.geo` is meshed in three dimensions first.
/// Gmsh has one global state: it is initialized and finalized here, one file at a time, so programs that use Gmsh
/// themselves must not be in the middle of it. Throws MeshError with what Gmsh said.
[[nodiscard]] Mesh read_gmsh_mesh(const std::filesystem::path& file);

}  // namespace maxwell_dg::dg
