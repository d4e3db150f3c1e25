#pragma once

#include <string>

namespace maxwell_dg::dg {

/// Gmsh's first message of the kind "Error"; "" where there is none.
[[nodiscard]] std::string first_error();

/// Throws MeshError: one line, even where Gmsh has no reason to give. `thrown`: what its exception says.
[[noreturn]] void throw_gmsh_error(const std::string& thrown, const std::string& remedy);

}  // namespace maxwell_dg::dg
