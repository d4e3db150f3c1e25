#pragma once

#include <filesystem>
#include <set>

#include "dg/mesh/file_kind.hpp"

namespace maxwell_dg::dg {

/// The units of length [metres] that a STEP or IGES file says its coordinates have. Parts of a STEP file may differ.
/// Empty for a file that says none, and for all others: BREP has no unit. Throws MeshError where it cannot be read.
[[nodiscard]] std::set<double> length_units(const std::filesystem::path& file, MeshFileKind kind);

}  // namespace maxwell_dg::dg
