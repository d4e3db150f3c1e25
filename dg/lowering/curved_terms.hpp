#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "dg/lowering/curved_elements.hpp"
#include "dg/lowering/lowered_term.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/program.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// A term as interpreters read it.
struct InterpretedTerm {
  LoweredTerm lowered;
  std::vector<std::vector<double>> constants;              ///< [element or face of the term][constant]
  std::vector<std::vector<double>> constants_at_points{};  ///< [element of the term x volume points + point][constant]
  symbolic::Program program;                               ///< computes LoweredTerm::outputs
};

/// What terms add to the right-hand side on curved elements, interpreted, in double: a part of ReferenceOperator.
///
/// The density of a term is evaluated at the quadrature points of the element or face, in components along x, y and z.
/// Tested and integrated there it becomes a sum, as the volume terms and the fluxes do, so that the energy of the
/// scheme changes at the rate that the same quadrature gives. Derivation: docs/theory.md, "Curved elements".
class CurvedTerms {
 public:
  /// All outlive it.
  CurvedTerms(const Discretization& discretization, const Problem& problem, const CurvedElements& elements,
              const VaryingMedia& media);

  /// Adds what a term of the problem is in its element number i, which is curved. `u` and `rates`: of that element,
  /// [variable][volume point] (of a face [variable][face point]), or empty.
  void add(const ElementTerm& term, const InterpretedTerm& interpreted, std::size_t i, std::span<const double> q,
           std::span<const double> u, double t, std::span<double> rhs, std::span<double> rates) const;
  /// The same at its face number i, whose element is curved.
  void add(const FaceTerm& term, const InterpretedTerm& interpreted, std::size_t i, std::span<const double> q,
           std::span<const double> u, double t, std::span<double> rhs, std::span<double> rates) const;

 private:
  using Matrix = Eigen::MatrixXd;
  /// [field, field] at a point, by CurvedSystem; empty where no term needs them.
  struct Maps {
    Matrix cartesian, to_sums;
    Matrix from_sums;  ///< in the volume alone
  };
  [[nodiscard]] std::size_t number(std::size_t k) const { return index(discretization_.mesh.curved.number[k]); }
  /// Adds what [node, field] sums change.
  void add_sums(std::size_t k, const Matrix& sums, std::span<double> rhs) const;

  const Discretization& discretization_;
  const CurvedGeometry& geometry_;
  const CurvedElements& elements_;
  const VaryingMedia& media_;
  int fields_;
  std::vector<Maps> at_points_;       ///< [curved element x volume points + point]
  std::vector<Maps> at_face_points_;  ///< [(curved element x 4 + face) x face points + point]
};

}  // namespace maxwell_dg::dg
