#include "dg/maxwell/pml_stretch.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>

#include <Eigen/Eigenvalues>

namespace maxwell_dg::dg::maxwell {

namespace {

/// Of the displacement that is linear between the vertices of an element, in (r, s, t), by the gradients of these.
Eigen::Matrix3d gradient(const std::array<Point, 4>& displacements, const std::array<double, 9>& gradients) {
  Eigen::Matrix3d G = Eigen::Matrix3d::Zero();
  for (std::size_t a = 0; a < 3; ++a) {
    const Point along = minus(displacements.at(a + 1), displacements[0]);
    const Eigen::Vector3d of_coordinate(gradients.at(3 * a), gradients.at(3 * a + 1), gradients.at(3 * a + 2));
    G += 0.5 * Eigen::Vector3d(along[0], along[1], along[2]) * of_coordinate.transpose();
  }
  return G;
}

/// The matrix with the nearest symmetric part that has no negative eigenvalue.
Eigen::Matrix3d without_shrinking(const Eigen::Matrix3d& G) {
  const Eigen::Matrix3d symmetric = 0.5 * (G + G.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> of(symmetric);
  constexpr double rounding = 1e-12;
  if (of.eigenvalues()[0] >= -rounding * of.eigenvalues()[2]) return G;
  const Eigen::Vector3d missing = (-of.eigenvalues()).cwiseMax(0.0);
  return G + of.eigenvectors() * missing.asDiagonal() * of.eigenvectors().transpose();
}

/// G at the volume points of a curved element: there the term is evaluated, so there it has to stretch. A polynomial
/// through such matrices at nodes shrinks some points between them, and fields grow.
std::vector<Eigen::Matrix3d> stretches_at_points(const Discretization& d, std::int32_t k, const PmlMotion& motion) {
  if (!motion.gradient) throw std::invalid_argument("PmlMotion: curved elements need the gradient of the displacement");
  const std::size_t points = index(d.curved->quadrature.volume_points());
  const auto first =
      d.curved->volume_positions.begin() + static_cast<std::ptrdiff_t>(index(d.mesh.curved.number[index(k)]) * points);
  std::vector<Eigen::Matrix3d> at_points;
  for (const Point& x : std::span(first, points)) {
    const std::array<Point, 3> rows = motion.gradient(x);
    Eigen::Matrix3d G;
    for (int i = 0; i < 3; ++i) G.row(i) = Eigen::RowVector3d(rows.at(index(i)).data());
    at_points.push_back(without_shrinking(G));
  }
  return at_points;
}

}  // namespace

std::vector<Eigen::Matrix3d> stretches_in(const Discretization& d, std::int32_t k, const PmlMotion& motion) {
  if (d.mesh.curved.is_curved(index(k))) return stretches_at_points(d, k, motion);
  std::array<Point, 4> displacements{};
  for (std::size_t v = 0; v < 4; ++v) {
    displacements.at(v) = motion.displacement(d.mesh.vertices[index(d.mesh.cells[index(k)].at(v))]);
  }
  return {without_shrinking(gradient(displacements, d.geometry.metric[index(k)]))};
}

}  // namespace maxwell_dg::dg::maxwell
