#pragma once

#include <cstddef>
#include <span>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// Places the nodes within curved cells, and those within faces amid a volume, anew: by continuing into the cell what
/// bends its edges and those of its faces that lie on surfaces (blending). All other nodes stay. The derivatives of
/// degree j of the cells' maps then fall with h^j where those of edges and surfaces do, which fields of order N + 1
/// need and Gmsh's nodes do not give ("Order" in docs/theory.md).
///
/// `volume`: [cell] the volume of the geometry that it belongs to. A face lies on a surface if only one curved cell has
/// it, if it lies between two volumes, or if it has a name. Cells whose new map would not be invertible keep their
/// nodes, those within their faces included; returns how many. The vertices of cells may have any order.
std::size_t blend_nodes(Mesh& mesh, std::span<const int> volume);

}  // namespace maxwell_dg::dg
