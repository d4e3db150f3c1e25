#pragma once

#include <array>
#include <vector>

#include <Eigen/Dense>

#include "dg/reference/reference_element.hpp"
#include "dg/reference/tetrahedron_quadrature.hpp"
#include "dg/reference/triangle_quadrature.hpp"

namespace maxwell_dg::dg {

/// What an element of order N needs whose metric varies: quadrature of degree 2 N in it and on its faces, and the
/// matrices between nodal values and values at those points. Products of two polynomials of degree N are integrated
/// exactly, so that projecting a polynomial's values at the points gives it back.
struct ElementQuadrature {
  TetrahedronQuadrature volume;
  TriangleQuadrature face;      ///< in coordinates that run along the edges from a face's first vertex to the others
  Eigen::MatrixXd at_volume;    ///< [volume point, Np] values of a polynomial with these nodal values
  Eigen::MatrixXd from_volume;  ///< [Np, volume point] the L2 projection: M^-1 at_volume^T weights
  Eigen::MatrixXd at_face;      ///< [face point, Nfp] of a polynomial on a face
  /// [Np, 4 face points] What LIFT is for nodal values: M^-1 times the integrals of numbers at the points of faces and
  /// the basis. Each face is measured in its own coordinates, with area 2.
  Eigen::MatrixXd lift;

  [[nodiscard]] static ElementQuadrature make(const ReferenceElement& reference);

  [[nodiscard]] int volume_points() const { return static_cast<int>(volume.size()); }
  [[nodiscard]] int face_points() const { return static_cast<int>(face.weights.size()); }
  /// [point] (r, s, t) of the points in the element; of those of a face, `number` 0 to 3.
  [[nodiscard]] std::vector<std::array<double, 3>> points_in_volume() const;
  [[nodiscard]] std::vector<std::array<double, 3>> points_on_face(int number) const {
    return points_on_face(face, number);
  }
  /// The same of other points of a triangle.
  [[nodiscard]] static std::vector<std::array<double, 3>> points_on_face(const TriangleQuadrature& points, int number);
};

}  // namespace maxwell_dg::dg
