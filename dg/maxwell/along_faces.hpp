#pragma once

#include <vector>

#include <Eigen/Core>

#include "dg/mesh/face_map.hpp"

namespace maxwell_dg::dg::maxwell {

/// Of a surface at a point: column b . tangent a is 1 if a = b, else 0. Both lie along the surface.
[[nodiscard]] Eigen::Matrix<double, 3, 2> dual_tangents(const FaceMap::At& at);

/// [3 point + axis, 3 node + axis] what a field in a curved element is along one of its faces at points, by its values
/// at the face's nodes: the components along the tangents are polynomials, those along the axes are not
/// (docs/theory.md, "What is read of the fields"). `to_points` [point, node] interpolates polynomials; `nodes` and
/// `points` are the face's map there.
[[nodiscard]] Eigen::MatrixXd along_curved_face(const std::vector<FaceMap::At>& nodes,
                                                const std::vector<FaceMap::At>& points,
                                                const Eigen::MatrixXd& to_points);

}  // namespace maxwell_dg::dg::maxwell
