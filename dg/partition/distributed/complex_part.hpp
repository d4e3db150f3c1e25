#pragma once

#include "dg/partition/distributed/part_reading.hpp"

namespace maxwell_dg::dg {

/// The part that a rank has where fields are complex, of the one that it has of the mesh: own elements, as many for the
/// imaginary parts, ghosts, and those for their imaginary parts, in the order of MeshPart.
[[nodiscard]] PartOfMesh with_imaginary_parts(PartOfMesh part);

}  // namespace maxwell_dg::dg
