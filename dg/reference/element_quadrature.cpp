#include "dg/reference/element_quadrature.hpp"

#include <cstddef>

#include "dg/reference/face_interpolation.hpp"

namespace maxwell_dg::dg {
namespace {

Eigen::Map<const Eigen::VectorXd> vector(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

}  // namespace

ElementQuadrature ElementQuadrature::make(const ReferenceElement& reference) {
  const int N = reference.N;
  ElementQuadrature q{.volume = TetrahedronQuadrature::exact_to(2 * N), .face = TriangleQuadrature::symmetric(2 * N)};
  q.at_volume.resize(q.volume_points(), reference.Np);
  for (std::size_t i = 0; i < q.volume.size(); ++i) {
    q.at_volume.row(static_cast<Eigen::Index>(i)) =
        reference.lagrange(q.volume.r[i], q.volume.s[i], q.volume.t[i]).transpose();
  }
  const Eigen::MatrixXd inverse_mass = reference.V * reference.V.transpose();
  q.from_volume = inverse_mass * q.at_volume.transpose() * vector(q.volume.weights).asDiagonal();

  q.at_face = face_interpolation(reference, q.face);
  const Eigen::MatrixXd integrals = q.at_face.transpose() * vector(q.face.weights).asDiagonal();  // [Nfp, point]
  Eigen::MatrixXd scattered = Eigen::MatrixXd::Zero(reference.Np, 4 * q.face_points());
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    for (int k = 0; k < reference.Nfp; ++k) {
      scattered.row(reference.Fmask(k, face)).segment(face * q.face_points(), q.face_points()) = integrals.row(k);
    }
  }
  q.lift = inverse_mass * scattered;
  return q;
}

std::vector<std::array<double, 3>> ElementQuadrature::points_in_volume() const {
  std::vector<std::array<double, 3>> points;
  for (std::size_t i = 0; i < volume.size(); ++i) points.push_back({volume.r[i], volume.s[i], volume.t[i]});
  return points;
}

std::vector<std::array<double, 3>> ElementQuadrature::points_on_face(const TriangleQuadrature& points, int number) {
  std::vector<std::array<double, 3>> result;
  const int opposite = ReferenceElement::opposite_vertex.at(static_cast<std::size_t>(number));
  for (std::size_t i = 0; i < points.r.size(); ++i) {
    const std::array<double, 3> share{-(points.r[i] + points.s[i]) / 2, (1 + points.r[i]) / 2, (1 + points.s[i]) / 2};
    std::array<double, 4> barycentric{};
    std::size_t next = 0;
    for (int vertex = 0; vertex < 4; ++vertex) {
      if (vertex != opposite) barycentric.at(static_cast<std::size_t>(vertex)) = share.at(next++);
    }
    result.push_back({2 * barycentric[1] - 1, 2 * barycentric[2] - 1, 2 * barycentric[3] - 1});
  }
  return result;
}

}  // namespace maxwell_dg::dg
