#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Sparse>

#include "dg/mesh/discretization.hpp"
#include "dg/mesh/enclosing_surface.hpp"
#include "dg/mesh/face_map.hpp"

namespace maxwell_dg::dg::maxwell {

/// Vectors along x, y, z on faces.
struct FaceField {
  std::vector<Eigen::MatrixXd> at_nodes;   ///< [face] of [Nfp, 3]
  std::vector<Eigen::MatrixXd> at_points;  ///< [face] of [face point, 3]; none where no cell of the mesh is curved
};

/// Continuous finite elements on faces in a plane, straight and curved ones: for static fields and modes in the cross
/// section of a guide. Their order is that of the discretization; where a face is curved, at least that of its
/// geometry.
class FaceElements {
 public:
  /// The discretization must outlive it.
  FaceElements(const Discretization& discretization, std::vector<ElementFace> faces);

  [[nodiscard]] int size() const { return static_cast<int>(positions_.size()); }    ///< numbers a function has
  [[nodiscard]] const std::vector<Point>& positions() const { return positions_; }  ///< [number]
  /// The numbers on the edge between two vertices, both ends included; on a vertex, if they are the same one.
  [[nodiscard]] std::vector<int> on_edge(std::int32_t a, std::int32_t b) const;

  /// Integrals of the products of gradients, and of values, of two of the functions: [number, number].
  [[nodiscard]] Eigen::SparseMatrix<double> stiffness() const;
  [[nodiscard]] Eigen::SparseMatrix<double> mass() const;

  [[nodiscard]] FaceField gradient(const Eigen::VectorXd& values) const;

 private:
  /// What a node of a face lies on: a vertex, a place on an edge, or the face itself.
  using Site = std::tuple<std::int32_t, std::int32_t, long>;
  using Vertices = std::array<std::int32_t, 3>;

  [[nodiscard]] Vertices vertices_of(const ElementFace& f) const;
  [[nodiscard]] Site site_of(const Vertices& corners, int node, long face) const;
  [[nodiscard]] std::size_t number(std::size_t face, int node) const;
  /// Sums up the matrices of faces, `of_face(points of the face, their weights)` being one.
  template <class OfFace>
  [[nodiscard]] Eigen::SparseMatrix<double> assembled(const OfFace& of_face) const;

  /// [face] of [point, 3]
  [[nodiscard]] std::vector<Eigen::MatrixXd> gradients_at(const TriangleQuadrature& points,
                                                          const Eigen::VectorXd& values) const;

  const Discretization& discretization_;
  const std::vector<ElementFace> faces_;
  const ReferenceElement reference_;
  const TriangleQuadrature points_;
  Eigen::MatrixXd at_points_, by_r_, by_s_;  ///< [point, node] values and derivatives of a face's nodal polynomials
  std::map<Site, int> numbers_;
  std::vector<int> of_face_;  ///< [face x nodes + node] its number
  std::vector<Point> positions_;
};

/// The rows and columns with these numbers, in this order.
[[nodiscard]] Eigen::SparseMatrix<double> restricted(const Eigen::SparseMatrix<double>& matrix,
                                                     std::span<const int> numbers);

}  // namespace maxwell_dg::dg::maxwell
