#pragma once

#include <Eigen/Dense>

#include "dg/reference/reference_element.hpp"
#include "dg/reference/triangle_quadrature.hpp"

namespace maxwell_dg::dg {

/// The nodes of a face in its own coordinates, which run along the edges from its first vertex to the others; the same
/// on every face. They have no weights.
[[nodiscard]] TriangleQuadrature face_nodes_of(const ReferenceElement& reference);

/// [point, Nfp] From nodal values on a face to those of the polynomial at points in these coordinates.
[[nodiscard]] Eigen::MatrixXd face_interpolation(const ReferenceElement& reference, const TriangleQuadrature& points);

}  // namespace maxwell_dg::dg
