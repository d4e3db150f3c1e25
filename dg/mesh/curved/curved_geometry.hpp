#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "dg/mesh/geometry.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/element_quadrature.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

/// Metric of the maps of curved cells, which varies within a cell: at its nodes, where vectors are converted, and at
/// the points of the quadrature of its mass matrices and fluxes. Everything goes by the number of the curved cell
/// (CurvedCells::number). From the gradients of r, s and t at a point follow all other numbers of the metric there
/// (metric_values in dg/lowering/affine_map.hpp).
struct CurvedGeometry {
  using Gradients = std::array<double, 9>;  ///< as in Geometry::metric
  struct FacePoint {
    Gradients gradients;
    Geometry::Face face;  ///< normal and Fscale there
    Point x;
  };

  ElementQuadrature quadrature;
  std::vector<Point> node_positions;        ///< [curved cell][node]
  std::vector<Gradients> at_nodes;          ///< [curved cell][node]
  std::vector<Gradients> at_volume_points;  ///< [curved cell][volume point]
  std::vector<Point> volume_positions;      ///< [curved cell][volume point]
  std::vector<FacePoint> at_face_points;    ///< [curved cell][face][face point]

  [[nodiscard]] static CurvedGeometry make(const Mesh& mesh, const ReferenceElement& reference);
};

/// Row a is the gradient of reference coordinate a.
[[nodiscard]] CurvedGeometry::Gradients gradients_of(const Eigen::Matrix3d& jacobian);

/// dV / (dr ds dt), signed: 1 / (grad r . grad s x grad t).
[[nodiscard]] double determinant(const CurvedGeometry::Gradients& gradients);

}  // namespace maxwell_dg::dg
