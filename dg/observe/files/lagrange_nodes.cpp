#include "dg/observe/files/lagrange_nodes.hpp"

namespace maxwell_dg::dg {
namespace {

template <std::size_t Vertices>
using Nodes = std::vector<std::array<int, Vertices>>;
using Edge = std::array<std::size_t, 2>;

constexpr std::array<Edge, 3> triangle_edges{{{0, 1}, {1, 2}, {2, 0}}};
constexpr std::array<Edge, 6> tetrahedron_edges{{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
/// [face] its vertices, in the order in which VTK numbers the nodes inside it.
constexpr std::array<std::array<std::size_t, 3>, 4> tetrahedron_faces{{{0, 1, 3}, {2, 3, 1}, {0, 3, 2}, {0, 2, 1}}};

template <std::size_t Vertices>
void add_vertices(Nodes<Vertices>& nodes, int N) {
  for (std::size_t v = 0; v < Vertices; ++v) nodes.emplace_back().at(v) = N;
}

/// The nodes between the ends of each edge, from its first end to its second.
template <std::size_t Vertices, std::size_t Edges>
void add_edges(Nodes<Vertices>& nodes, int N, const std::array<Edge, Edges>& edges) {
  for (const auto& [from, to] : edges) {
    for (int i = 1; i < N; ++i) {
      std::array<int, Vertices>& node = nodes.emplace_back();
      node.at(from) = N - i;
      node.at(to) = i;
    }
  }
}

/// Appends the nodes of a smaller cell, which are the given ones moved one step away from every side.
template <std::size_t Vertices>
void add_inside(Nodes<Vertices>& nodes, const Nodes<Vertices>& smaller) {
  for (std::array<int, Vertices> node : smaller) {
    for (int& coordinate : node) ++coordinate;
    nodes.push_back(node);
  }
}

}  // namespace

Nodes<3> lagrange_triangle_nodes(int N) {
  if (N == 0) return {{0, 0, 0}};
  Nodes<3> nodes;
  add_vertices(nodes, N);
  add_edges(nodes, N, triangle_edges);
  if (N >= 3) add_inside(nodes, lagrange_triangle_nodes(N - 3));
  return nodes;
}

Nodes<4> lagrange_tetrahedron_nodes(int N) {
  if (N == 0) return {{0, 0, 0, 0}};
  Nodes<4> nodes;
  add_vertices(nodes, N);
  add_edges(nodes, N, tetrahedron_edges);
  const Nodes<3> of_a_face = lagrange_triangle_nodes(N);
  for (const std::array<std::size_t, 3>& face : tetrahedron_faces) {
    for (std::size_t n = 3 * static_cast<std::size_t>(N); n < of_a_face.size();
         ++n) {  // those after vertices and edges
      std::array<int, 4>& node = nodes.emplace_back();
      for (std::size_t v = 0; v < 3; ++v) node.at(face.at(v)) = of_a_face[n].at(v);
    }
  }
  if (N >= 4) add_inside(nodes, lagrange_tetrahedron_nodes(N - 4));
  return nodes;
}

}  // namespace maxwell_dg::dg
