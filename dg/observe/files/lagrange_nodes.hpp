#pragma once

#include <array>
#include <cstddef>
#include <vector>

/// Where the nodes of VTK's Lagrange cells lie, in VTK's order (the documentation of "VTK file formats", Lagrange
/// cells).
namespace maxwell_dg::dg {

/// Barycentric coordinates, times N, of the nodes of a Lagrange triangle of order N: the three vertices, the edges 01,
/// 12, 20, then those inside, which are a triangle of order N - 3. (N+1)(N+2)/2 of them.
[[nodiscard]] std::vector<std::array<int, 3>> lagrange_triangle_nodes(int N);

/// The same of a tetrahedron: the four vertices, the edges 01, 12, 20, 03, 13, 23, those inside each of the four faces,
/// numbered as inside a triangle, then those inside, which are a tetrahedron of order N - 4. (N+1)(N+2)(N+3)/6 of them.
[[nodiscard]] std::vector<std::array<int, 4>> lagrange_tetrahedron_nodes(int N);

}  // namespace maxwell_dg::dg
