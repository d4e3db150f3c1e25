#pragma once

namespace maxwell_dg::dg {

/// Nodes of an element of order N, and of each of its faces.
[[nodiscard]] constexpr int node_count(int N) {
  return (N + 1) * (N + 2) * (N + 3) / 6;
}
[[nodiscard]] constexpr int face_node_count(int N) {
  return (N + 1) * (N + 2) / 2;
}

}  // namespace maxwell_dg::dg
