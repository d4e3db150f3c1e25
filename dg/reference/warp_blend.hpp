#pragma once

#include <array>
#include <vector>

namespace maxwell_dg::dg {

/// Barycentric coordinates with respect to v0 ... v3 of the reference tetrahedron.
using Barycentric = std::array<double, 4>;

/// The warp & blend nodes of order N, (N+1)(N+2)(N+3)/6 of them: well-conditioned for interpolation, Legendre-Gauss-
/// Lobatto on each edge, invariant under permutations of the vertices. The weight of v1 runs fastest, then that of
/// v2, then that of v3. Nodes on a face have a coordinate that is exactly zero.
[[nodiscard]] std::vector<Barycentric> warp_blend_nodes(int N);

}  // namespace maxwell_dg::dg
