#pragma once

#include <filesystem>
#include <string>

#include "dg/mesh/file_kind.hpp"

namespace maxwell_dg::dg {

/// Opens the solids of a CAD file as a geometry of Gmsh, in millimetres where the file says its unit. Touching solids
/// share their faces. Solids become physical volumes by their labels (of STEP: names of products), those without one
/// are `volume_N`; solids of one name are one region. Their faces become physical surfaces, by the name that a STEP
/// file gives them or as `surface_N`. N counts the volumes and the surfaces from 1. Throws MeshError: a Gmsh without
/// OpenCASCADE, a file that it cannot read, no solids, solids that overlap.
void import_cad(const std::filesystem::path& file, MeshFileKind kind);

/// The part of a label that is a name: "horn" of "Shapes/assembly/1/horn". Empty for what programs write where nobody
/// gave a name.
[[nodiscard]] std::string name_in_label(const std::string& label);

/// Throws MeshError where a Gmsh with these build options ("64Bit Mesh OpenCASCADE ...") cannot read CAD files.
void require_open_cascade(const std::string& build_options);

/// Whether a list of words has one.
[[nodiscard]] bool has_word(const std::string& words, const std::string& word);

}  // namespace maxwell_dg::dg
