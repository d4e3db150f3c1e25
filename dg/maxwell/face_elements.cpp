#include "dg/maxwell/face_elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "dg/maxwell/along_faces.hpp"
#include "dg/reference/face_interpolation.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

int order_on(const Discretization& d, const std::vector<ElementFace>& faces) {
  const bool any_curved =
      std::ranges::any_of(faces, [&](const ElementFace& f) { return d.mesh.curved.is_curved(f.element); });
  return any_curved ? std::max(d.N(), d.mesh.curved.order) : d.N();
}

/// [node, node] of a face, by one of its own coordinates, of the derivative `D` of the element.
Eigen::MatrixXd on_face(const ReferenceElement& reference, const Eigen::MatrixXd& D) {
  // A function that vanishes on the face changes across it alone: the rest of the element does not matter.
  Eigen::MatrixXd result(reference.Nfp, reference.Nfp);
  for (int i = 0; i < reference.Nfp; ++i) {
    for (int k = 0; k < reference.Nfp; ++k) result(i, k) = D(reference.Fmask(i, 0), reference.Fmask(k, 0));
  }
  return result;
}

}  // namespace

FaceElements::FaceElements(const Discretization& discretization, std::vector<ElementFace> faces)
    : discretization_(discretization),
      faces_(std::move(faces)),
      reference_(ReferenceElement::make(order_on(discretization, faces_))),
      points_(TriangleQuadrature::exact_to(2 * (reference_.N + discretization.mesh.curved.order - 1))),
      at_points_(face_interpolation(reference_, points_)),
      by_r_(at_points_ * on_face(reference_, reference_.Dr)),
      by_s_(at_points_ * on_face(reference_, reference_.Ds)) {
  const FaceMap at_nodes(discretization.mesh, face_nodes_of(reference_));
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    const Vertices corners = vertices_of(faces_[f]);
    const std::vector<FaceMap::At> at = at_nodes.at(faces_[f]);
    for (int i = 0; i < reference_.Nfp; ++i) {
      const auto [found, is_new] = numbers_.try_emplace(site_of(corners, i, static_cast<long>(f)), size());
      of_face_.push_back(found->second);
      if (is_new) positions_.push_back(at[static_cast<std::size_t>(i)].x);
    }
  }
}

FaceElements::Vertices FaceElements::vertices_of(const ElementFace& f) const {
  const auto& corners = face_vertices[static_cast<std::size_t>(f.face)];
  const auto& cell = discretization_.mesh.cells[f.element];
  return {cell[corners[0]], cell[corners[1]], cell[corners[2]]};
}

FaceElements::Site FaceElements::site_of(const Vertices& corners, int node, long face) const {
  const int at = reference_.Fmask(node, 0);
  const double b = (1 + reference_.r(at)) / 2, c = (1 + reference_.s(at)) / 2;
  const std::array<double, 3> share{1 - b - c, b, c};
  std::vector<std::size_t> on;
  for (std::size_t v = 0; v < 3; ++v) {
    if (share.at(v) > 1e-9) on.push_back(v);
  }
  if (on.size() == 1) return {corners.at(on[0]), corners.at(on[0]), 0};
  if (on.size() == 2) {
    // Vertices of periodic meshes need not ascend.
    const auto [least, most] = std::minmax(on[0], on[1], [&](auto i, auto j) { return corners.at(i) < corners.at(j); });
    return {corners.at(least), corners.at(most), std::lround(1e6 * share.at(most))};
  }
  return {-1 - node, -1, face};
}

std::size_t FaceElements::number(std::size_t face, int node) const {
  return static_cast<std::size_t>(
      of_face_[face * static_cast<std::size_t>(reference_.Nfp) + static_cast<std::size_t>(node)]);
}

std::vector<int> FaceElements::on_edge(std::int32_t a, std::int32_t b) const {
  const auto [least, most] = std::minmax(a, b);
  std::vector<int> result;
  for (auto at = numbers_.lower_bound({least, most, 0});
       at != numbers_.end() && std::get<0>(at->first) == least && std::get<1>(at->first) == most; ++at) {
    result.push_back(at->second);
  }
  if (a == b) return result;
  for (const std::int32_t end : {least, most}) result.push_back(numbers_.at({end, end, 0}));
  return result;
}

template <class OfFace>
Eigen::SparseMatrix<double> FaceElements::assembled(const OfFace& of_face) const {
  const FaceMap map(discretization_.mesh, points_);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    const std::vector<FaceMap::At> at = map.at(faces_[f]);
    const Eigen::MatrixXd matrix = of_face(at, area_weights(at, points_));
    for (int i = 0; i < reference_.Nfp; ++i) {
      for (int k = 0; k < reference_.Nfp; ++k) entries.emplace_back(number(f, i), number(f, k), matrix(i, k));
    }
  }
  Eigen::SparseMatrix<double> result(size(), size());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

Eigen::SparseMatrix<double> FaceElements::stiffness() const {
  return assembled([&](const std::vector<FaceMap::At>& at, const std::vector<double>& weights) {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(reference_.Nfp, reference_.Nfp);
    for (std::size_t p = 0; p < at.size(); ++p) {
      const auto row = static_cast<Eigen::Index>(p);
      const Eigen::Matrix<double, 3, 2> to_axes = dual_tangents(at[p]);
      const Eigen::MatrixXd gradient = to_axes.col(0) * by_r_.row(row) + to_axes.col(1) * by_s_.row(row);
      sum += weights[p] * gradient.transpose() * gradient;
    }
    return sum;
  });
}

Eigen::SparseMatrix<double> FaceElements::mass() const {
  return assembled([&](const std::vector<FaceMap::At>&, const std::vector<double>& weights) {
    const Eigen::Map<const Eigen::VectorXd> w(weights.data(), static_cast<Eigen::Index>(weights.size()));
    return Eigen::MatrixXd(at_points_.transpose() * w.asDiagonal() * at_points_);
  });
}

FaceField FaceElements::gradient(const Eigen::VectorXd& values) const {
  FaceField result{.at_nodes = gradients_at(face_nodes_of(discretization_.reference), values), .at_points = {}};
  if (discretization_.curved) result.at_points = gradients_at(discretization_.curved->quadrature.face, values);
  return result;
}

std::vector<Eigen::MatrixXd> FaceElements::gradients_at(const TriangleQuadrature& points,
                                                        const Eigen::VectorXd& values) const {
  const Eigen::MatrixXd at_points = face_interpolation(reference_, points);
  const Eigen::MatrixXd by_r = at_points * on_face(reference_, reference_.Dr);
  const Eigen::MatrixXd by_s = at_points * on_face(reference_, reference_.Ds);
  const FaceMap map(discretization_.mesh, points);
  std::vector<Eigen::MatrixXd> result;
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    Eigen::VectorXd own(reference_.Nfp);
    for (int i = 0; i < reference_.Nfp; ++i) own(i) = values(static_cast<Eigen::Index>(number(f, i)));
    const std::vector<FaceMap::At> at = map.at(faces_[f]);
    Eigen::MatrixXd gradient(at_points.rows(), 3);
    for (Eigen::Index i = 0; i < gradient.rows(); ++i) {
      const Eigen::Vector2d slopes(by_r.row(i).dot(own), by_s.row(i).dot(own));
      gradient.row(i) = (dual_tangents(at[static_cast<std::size_t>(i)]) * slopes).transpose();
    }
    result.push_back(std::move(gradient));
  }
  return result;
}

Eigen::SparseMatrix<double> restricted(const Eigen::SparseMatrix<double>& matrix, std::span<const int> numbers) {
  Eigen::SparseMatrix<double> chosen(matrix.rows(), static_cast<Eigen::Index>(numbers.size()));
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    entries.emplace_back(numbers[i], static_cast<int>(i), 1.0);
  }
  chosen.setFromTriplets(entries.begin(), entries.end());
  return chosen.transpose() * matrix * chosen;
}

}  // namespace maxwell_dg::dg::maxwell
