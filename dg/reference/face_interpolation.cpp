#include "dg/reference/face_interpolation.hpp"

#include <cstddef>

#include "dg/reference/orthonormal_basis.hpp"

namespace maxwell_dg::dg {
namespace {

/// [point, mode]
Eigen::MatrixXd modes_at(int N, const TriangleQuadrature& points) {
  Eigen::MatrixXd V(static_cast<Eigen::Index>(points.r.size()), face_node_count(N));
  for (std::size_t i = 0; i < points.r.size(); ++i) {
    V.row(static_cast<Eigen::Index>(i)) = triangle_modes(N, points.r[i], points.s[i]).transpose();
  }
  return V;
}

}  // namespace

TriangleQuadrature face_nodes_of(const ReferenceElement& reference) {
  TriangleQuadrature nodes;
  for (const int node : reference.Fmask.col(0)) {  // face 0 is in the plane of r and s; all faces list nodes alike
    nodes.r.push_back(reference.r(node));
    nodes.s.push_back(reference.s(node));
  }
  return nodes;
}

Eigen::MatrixXd face_interpolation(const ReferenceElement& reference, const TriangleQuadrature& points) {
  return modes_at(reference.N, points) * modes_at(reference.N, face_nodes_of(reference)).inverse();
}

}  // namespace maxwell_dg::dg
