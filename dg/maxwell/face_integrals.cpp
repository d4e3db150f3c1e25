#include "dg/maxwell/face_integrals.hpp"

#include <vector>

#include <Eigen/Geometry>

#include "dg/maxwell/along_faces.hpp"
#include "dg/maxwell/static_field.hpp"
#include "dg/mesh/planar_patch.hpp"
#include "dg/reference/face_interpolation.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

using RealVector = Eigen::Vector3d;

/// From [row, 3] to [3 row + axis], and back.
Eigen::VectorXd in_a_row(const Eigen::MatrixXd& vectors) {
  const Eigen::MatrixXd by_row = vectors.transpose();
  return by_row.reshaped();
}
Eigen::MatrixXd in_rows(const Eigen::VectorXd& values) {
  return values.reshaped(3, values.size() / 3).transpose();
}

}  // namespace

FaceIntegration::FaceIntegration(const Discretization& discretization)
    : d_(discretization), straight_(face_mass(discretization.reference)) {
  if (!d_.curved) return;
  nodes_.emplace(d_.mesh, face_nodes_of(d_.reference));
  points_.emplace(d_.mesh, d_.curved->quadrature.face);
}

FaceIntegrals FaceIntegration::of(const ElementFace& face, const FaceField& e, std::size_t row, double factor) const {
  const Geometry::Face& plane = d_.geometry.faces[face.element][static_cast<std::size_t>(face.face)];
  const RealVector straight_normal(plane.nx, plane.ny, plane.nz);
  const Eigen::MatrixXd& at_nodes = e.at_nodes[row];
  if (!d_.mesh.curved.is_curved(face.element)) {
    FaceIntegrals result{.with_E = factor * face_area(d_.mesh, face) / 2 * straight_ * at_nodes,
                         .with_H = Eigen::MatrixXd(at_nodes.rows(), 3),
                         .square = 0,
                         .with_interpolated = 0};
    for (Eigen::Index i = 0; i < at_nodes.rows(); ++i) {
      result.with_H.row(i) = RealVector(result.with_E.row(i).transpose()).cross(straight_normal).transpose();
    }
    result.square = result.with_interpolated = at_nodes.cwiseProduct(result.with_E).sum();
    return result;
  }
  const ElementQuadrature& quadrature = d_.curved->quadrature;
  const std::vector<FaceMap::At> at = points_->at(face);
  const std::vector<double> weights = area_weights(at, quadrature.face);
  const Eigen::MatrixXd interpolated = quadrature.at_face * at_nodes;
  Eigen::MatrixXd of_E = e.at_points[row], of_H(of_E.rows(), 3);  // times weights
  FaceIntegrals result{.with_E = {}, .with_H = {}, .square = 0, .with_interpolated = 0};
  for (Eigen::Index p = 0; p < of_E.rows(); ++p) {
    const FaceMap::At& here = at[static_cast<std::size_t>(p)];
    const RealVector product = RealVector(here.by_r.data()).cross(RealVector(here.by_s.data()));
    const RealVector normal = product.normalized() * (product.dot(straight_normal) < 0 ? -1 : 1);
    const RealVector own = of_E.row(p);
    const RealVector weighed = factor * weights[static_cast<std::size_t>(p)] * own;
    result.square += weighed.dot(own);
    result.with_interpolated += weighed.dot(interpolated.row(p));
    of_E.row(p) = weighed;
    of_H.row(p) = weighed.cross(normal);
  }
  const Eigen::MatrixXd along = along_curved_face(nodes_->at(face), at, quadrature.at_face).transpose();
  result.with_E = in_rows(along * in_a_row(of_E));
  result.with_H = in_rows(along * in_a_row(of_H));
  return result;
}

}  // namespace maxwell_dg::dg::maxwell
