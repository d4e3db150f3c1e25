#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "dg/lowering/curved_invariants.hpp"
#include "dg/lowering/curved_system.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/program.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// The semi-discrete operator on the curved elements of a mesh, interpreted, in double: a part of ReferenceOperator.
///
/// Its equations are those of the contracted system in the basis of the element, which are free of the metric but for
/// their invariants. Contractions and lifted fluxes, the sums, are nodal polynomials in (r, s, t), as on an affine
/// element; then the equations are applied at quadrature points, each with the metric there, and projected. That is
/// the weight-adjusted inverse of the mass matrix (Chan, Hewett, Warburton, SIAM J. Sci. Comput. 39, 2017). Fluxes are
/// evaluated at quadrature points of the faces, of interpolated traces and the metric there. Derivation:
/// docs/theory.md, "Curved elements".
class CurvedElements {
 public:
  /// All outlive it. Throws ConfigError where the system has no basis of the element.
  CurvedElements(const Discretization& discretization, const Problem& problem, const LoweredSystem& lowered,
                 const VaryingMedia& media);

  /// Writes the right-hand side of curved element k; arrays are of all elements, [element][field][node].
  void evaluate(std::size_t k, std::span<const double> q, double t, std::span<double> rhs) const;

  /// [node, field] what is stored, of nodal values along x, y, z of element k.
  [[nodiscard]] Eigen::MatrixXd stored(std::size_t k, std::span<const double> q) const;
  /// [face node, field] the same of values at the nodes of another face, 4 * element + face, in the basis of element k
  /// at its own face: along the face both elements have the same one.
  [[nodiscard]] Eigen::MatrixXd stored_outside(std::size_t k, int face, std::int32_t other,
                                               std::span<const double> q) const;
  /// Adds [node, field] changes of what is stored, along x, y, z, to the right-hand side.
  void add_stored(std::size_t k, const Eigen::MatrixXd& changes, std::span<double> rhs) const;

  /// [field, field] the weights of an energy at a volume point of an element.
  using Weights = std::function<Eigen::MatrixXd(std::size_t point)>;
  /// Integral of q^T weights q over curved element k, by quadrature with its map.
  [[nodiscard]] double energy(std::size_t k, const Weights& weights, std::span<const double> q) const;
  /// Writes, for element k, the product of the matrix of the scheme's energy and q. In the basis of the element that
  /// matrix is M A^-1 M, where M is the reference mass matrix and A the mass matrix weighted by the inverse of the
  /// weights. The central flux conserves q . (that product), not the integral above.
  void apply_energy_matrix(std::size_t k, const Weights& weights, std::span<const double> q,
                           std::span<double> result) const;

  [[nodiscard]] const CurvedSystem& system() const { return system_; }

 private:
  using Gradients = CurvedGeometry::Gradients;
  using Matrix = Eigen::MatrixXd;

  void find_maps();
  [[nodiscard]] std::size_t number(std::size_t k) const { return index(discretization_.mesh.curved.number[k]); }
  /// The offset of a face point in lists of all face points, [curved element][face][face point].
  [[nodiscard]] std::size_t place(std::size_t k, int face, int i) const {
    return (number(k) * ReferenceElement::Nfaces + index(face)) * index(geometry_.quadrature.face_points()) + index(i);
  }
  [[nodiscard]] const CurvedGeometry::FacePoint& face_point(std::size_t k, int face, int i) const;
  void add_flux(std::size_t k, int face, const Matrix& own, std::span<const double> q, double t, Matrix& lifted) const;
  /// [face point, trace] of the outside; `at_points`: [face point, field] what is stored of the inside.
  [[nodiscard]] Matrix outside_traces(std::size_t k, int face, const Matrix& at_points, std::span<const double> q,
                                      double t) const;
  [[nodiscard]] Matrix traces(int face, const Matrix& at_points, symbolic::Side side) const;
  /// The weights of a curved element at a volume point, in the basis of the element, times |J|.
  [[nodiscard]] Matrix weights_at(std::size_t point, const Matrix& weights) const;

  const Discretization& discretization_;
  const CurvedGeometry& geometry_;
  const Problem& problem_;
  const VaryingMedia& media_;
  CurvedSystem system_;
  symbolic::Program stored_, cartesian_;
  symbolic::Program operands_, sums_, equations_;
  std::vector<symbolic::Program> flux_;                       ///< [face] the values that are lifted
  std::vector<symbolic::Program> outside_;                    ///< [boundary]
  std::vector<Matrix> stored_at_nodes_, cartesian_at_nodes_;  ///< [curved element x Np + node]
  /// [boundary face x face points + point]; empty matrices at straight elements.
  std::vector<Matrix> stored_at_boundary_, cartesian_at_boundary_;
  CurvedInvariants invariants_;
};

}  // namespace maxwell_dg::dg
