#pragma once

#include <filesystem>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// A mesh as HDF5, in the layout that docs/mesh_format.md describes.
///
/// Throws MeshError for a file that is damaged, of another format or version, or inconsistent.
[[nodiscard]] Mesh read_hdf5_mesh(const std::filesystem::path& file);

/// Such a file, written atomically. Throws OutputError.
void write_hdf5_mesh(const Mesh& mesh, const std::filesystem::path& file);

}  // namespace maxwell_dg::dg
