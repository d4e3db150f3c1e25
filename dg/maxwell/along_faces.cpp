#include "dg/maxwell/along_faces.hpp"

#include <cstddef>

#include <Eigen/Dense>

namespace maxwell_dg::dg::maxwell {
namespace {

Eigen::Matrix<double, 3, 2> tangents(const FaceMap::At& at) {
  Eigen::Matrix<double, 3, 2> result;
  result << Eigen::Vector3d(at.by_r.data()), Eigen::Vector3d(at.by_s.data());
  return result;
}

}  // namespace

Eigen::Matrix<double, 3, 2> dual_tangents(const FaceMap::At& at) {
  const Eigen::Matrix<double, 3, 2> of = tangents(at);
  return of * (of.transpose() * of).inverse();
}

Eigen::MatrixXd along_curved_face(const std::vector<FaceMap::At>& nodes, const std::vector<FaceMap::At>& points,
                                  const Eigen::MatrixXd& to_points) {
  Eigen::MatrixXd matrix(3 * to_points.rows(), 3 * to_points.cols());
  for (Eigen::Index p = 0; p < to_points.rows(); ++p) {
    const Eigen::Matrix<double, 3, 2> from_tangents = dual_tangents(points[static_cast<std::size_t>(p)]);
    for (Eigen::Index i = 0; i < to_points.cols(); ++i) {
      matrix.block<3, 3>(3 * p, 3 * i) =
          to_points(p, i) * from_tangents * tangents(nodes[static_cast<std::size_t>(i)]).transpose();
    }
  }
  return matrix;
}

}  // namespace maxwell_dg::dg::maxwell
