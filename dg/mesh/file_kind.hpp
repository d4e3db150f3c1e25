#pragma once

#include <filesystem>
#include <optional>

namespace maxwell_dg::dg {

/// What a file of a mesh or of a geometry is.
enum class MeshFileKind { hdf5, msh, geo, step, iges, brep };

/// By the ending of its name, in any case of letters: .h5, .msh, .geo, .step and .stp, .iges and .igs, .brep.
[[nodiscard]] std::optional<MeshFileKind> kind_of_mesh_file(const std::filesystem::path& file);

/// Solids of a CAD program, which Gmsh's OpenCASCADE reads.
[[nodiscard]] constexpr bool is_cad(MeshFileKind kind) {
  return kind == MeshFileKind::step || kind == MeshFileKind::iges || kind == MeshFileKind::brep;
}

/// It has to be meshed first.
[[nodiscard]] constexpr bool is_geometry(MeshFileKind kind) {
  return is_cad(kind) || kind == MeshFileKind::geo;
}

}  // namespace maxwell_dg::dg
