#pragma once

#include <string>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// SHA-256 of all of a mesh: vertices, elements in their order, regions, surfaces, values by name, curved geometry.
[[nodiscard]] std::string digest(const Mesh& mesh);

}  // namespace maxwell_dg::dg
