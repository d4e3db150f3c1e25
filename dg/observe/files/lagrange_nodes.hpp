#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

/// The nodes of VTK's Lagrange cells, in VTK's order ("VTK file formats", Lagrange cells).
namespace maxwell_dg::dg {

/// [(N+1)(N+2)/2] the barycentric coordinates, times N, of the nodes of a Lagrange triangle of order N: the three
/// vertices; the nodes of the edges 01, 12, 20; then those inside, which form a triangle of order N - 3.
[[nodiscard]] std::vector<std::array<int, 3>> lagrange_triangle_nodes(int N);

/// [(N+1)(N+2)(N+3)/6] the same of a tetrahedron: the four vertices; the nodes of the edges 01, 12, 20, 03, 13, 23;
/// those inside each of the four faces, in the order of a triangle; then those inside, which form a tetrahedron of
/// order N - 4.
[[nodiscard]] std::vector<std::array<int, 4>> lagrange_tetrahedron_nodes(int N);

/// [node] The number of the node that has its barycentric coordinates with the last two exchanged: the order of the
/// nodes of a cell that is reflected.
template <std::size_t vertices>
[[nodiscard]] std::vector<std::size_t> reflected_order(const std::vector<std::array<int, vertices>>& nodes) {
  std::vector<std::size_t> order;
  for (std::array<int, vertices> weights : nodes) {
    std::swap(weights[vertices - 2], weights[vertices - 1]);
    order.push_back(static_cast<std::size_t>(std::ranges::find(nodes, weights) - nodes.begin()));
  }
  return order;
}

}  // namespace maxwell_dg::dg
