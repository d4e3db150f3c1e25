#pragma once

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// The unit ball, prepared: an icosahedron of twenty tetrahedra, each cut into eight `levels` times, with every shell
/// of the flat icosahedron moved onto a sphere. 20 * 8^levels straight tetrahedra of even quality, boundary vertices on
/// the unit sphere; region `interior`, surface `wall`.
[[nodiscard]] Mesh make_ball(int levels);

}  // namespace maxwell_dg::dg
