#pragma once

#include <Eigen/Dense>

namespace maxwell_dg::dg {

/// The orthonormal polynomials of Proriol, Koornwinder, Dubiner and Owens on the reference tetrahedron (volume 4/3),
/// all of total degree <= N, at one point. Modes (i, j, k) are ordered with i outermost, k innermost.
struct ModalValues {
  Eigen::VectorXd value;                              ///< [Np]
  Eigen::Matrix<double, Eigen::Dynamic, 3> gradient;  ///< [Np, 3] d/dr, d/ds, d/dt
};
[[nodiscard]] ModalValues tetrahedron_modes(int N, double r, double s, double t);

/// The same on the reference triangle (-1,-1), (1,-1), (-1,1) (area 2), values only: [Nfp].
[[nodiscard]] Eigen::VectorXd triangle_modes(int N, double r, double s);

}  // namespace maxwell_dg::dg
