#pragma once

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// Where the vertices of the shells lie: on their spheres, or so far out that the polyhedron inside each of them has
/// the volume of its ball.
enum class Facets { on_spheres, of_equal_volume };

/// The unit ball, prepared: an icosahedron of twenty tetrahedra, each cut into eight `levels` times, with every shell
/// of the flat icosahedron (at i / 2^levels of the radius) moved onto a sphere. 20 * 8^levels straight tetrahedra of
/// even quality; region `interior`, surface `wall`.
[[nodiscard]] Mesh make_ball(int levels, Facets facets = Facets::on_spheres);

/// The unit ball, round: the flat icosahedron of make_ball, curved more and more outwards, by maps of this order. What
/// curves it grows with a power of the radius, 2 or more; derivatives of the whole ball's map are bounded at the centre
/// up to this power plus one.
[[nodiscard]] Mesh make_round_ball(int levels, int order, int power = 2);

}  // namespace maxwell_dg::dg
