#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <Eigen/Dense>

#include "dg/reference/node_count.hpp"

namespace maxwell_dg::dg {

/// The nodal reference tetrahedron of order N (Hesthaven & Warburton 2008, chapters 6 and 10), in double.
///
/// Vertices: v0 = (-1,-1,-1), v1 = (1,-1,-1), v2 = (-1,1,-1), v3 = (-1,-1,1). Faces, each with ascending vertices:
/// 0: t = -1 (v0 v1 v2), 1: s = -1 (v0 v1 v3), 2: r + s + t = -1 (v1 v2 v3), 3: r = -1 (v0 v2 v3).
/// Nodes: warp & blend; r runs fastest, then s, then t. Node k of a face has the same barycentric coordinates with
/// respect to the face's ascending vertices on every face. Since the vertices of all elements are sorted by number, the
/// two elements at a face list its nodes in the same order.
struct ReferenceElement {
  static constexpr int Nfaces = 4;
  static constexpr int max_order = 9;
  static constexpr std::array<int, Nfaces> opposite_vertex{3, 2, 0, 1};  ///< [face]

  int N{};                     ///< order, 1 to 9
  int Np{};                    ///< nodes: node_count(N)
  int Nfp{};                   ///< nodes of a face: face_node_count(N)
  Eigen::VectorXd r, s, t;     ///< [Np] node coordinates
  Eigen::MatrixXd V;           ///< [Np, Np] orthonormal modal basis at the nodes: V(i, j) = psi_j(r_i)
  Eigen::MatrixXd invV;        ///< [Np, Np] nodal to modal
  Eigen::MatrixXd Dr, Ds, Dt;  ///< [Np, Np] derivative of nodal values: (du/dr)_i = sum_j Dr(i, j) u_j
  Eigen::MatrixXd M;           ///< [Np, Np] mass matrix of the reference element: (V V^T)^-1; sums to 4/3
  /// [Np, 4 Nfp] M^-1 times the face mass matrices; column face * Nfp + k is node k of the face. Each face is measured
  /// in its own coordinates, with area 2.
  Eigen::MatrixXd LIFT;
  Eigen::MatrixXi Fmask;  ///< [Nfp, 4] node number of each face node

  /// Throws std::invalid_argument for an order outside 1 to 9.
  [[nodiscard]] static ReferenceElement make(int N);

  /// Values of the nodal (Lagrange) basis at one point (r, s, t): [Np]. Interpolates with weights . nodal values.
  [[nodiscard]] Eigen::VectorXd lagrange(double r, double s, double t) const;

  /// Fmask face by face, as kernels read it: [face][Nfp] node numbers.
  [[nodiscard]] std::vector<std::int32_t> face_nodes() const;
};

}  // namespace maxwell_dg::dg
