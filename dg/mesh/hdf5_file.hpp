#pragma once

#include <filesystem>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// A mesh as HDF5, version 1. Root attributes `format` = "maxwell_dg mesh" and `version` = 1; datasets
///
///   vertices              [n, 3]  float64  coordinates, in mesh units
///   cells                 [K, 4]  int32    vertex numbers from 0, in any order
///   cell_region           [K]     int32    index into `regions`, -1 for none
///   regions               [R]     string   UTF-8, fixed length, zero-padded
///   surface_faces         [m, 3]  int32    vertex numbers
///   surface_face_surface  [m]     int32    index into `surfaces`
///   surfaces              [S]     string
///   cell_values/NAME      [K]     float64  any number of them, or none: of a material, say; kept by name
///
/// Data are compressed (shuffle, deflate) and carry Fletcher-32 checksums; HDF5's own structures, written in the
/// format of HDF5 1.8 or later, carry checksums too, so damage is found when reading. Other programs may write this
/// layout, without compression if they like.
///
/// Throws MeshError for a file that is damaged, of another format or version, or inconsistent.
[[nodiscard]] Mesh read_hdf5_mesh(const std::filesystem::path& file);

/// Such a file, written atomically. Throws OutputError.
void write_hdf5_mesh(const Mesh& mesh, const std::filesystem::path& file);

}  // namespace maxwell_dg::dg
