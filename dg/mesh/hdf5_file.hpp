#pragma once

#include <filesystem>
#include <memory>

#include "dg/mesh/mesh.hpp"
#include "dg/mesh/mesh_rows.hpp"

namespace maxwell_dg::dg {

/// A mesh as HDF5, in the layout that docs/mesh_format.md describes.
///
/// Throws MeshError for a file that is damaged, of another format or version, or inconsistent.
[[nodiscard]] Mesh read_hdf5_mesh(const std::filesystem::path& file);

/// The same by pieces, lengths times `scale`; what a piece holds is checked when it is read.
[[nodiscard]] std::unique_ptr<MeshRows> open_hdf5_mesh(const std::filesystem::path& file, double scale);

/// Such a file, written atomically. Throws OutputError.
void write_hdf5_mesh(const Mesh& mesh, const std::filesystem::path& file);

}  // namespace maxwell_dg::dg
