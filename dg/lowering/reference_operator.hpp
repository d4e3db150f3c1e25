#pragma once

#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "dg/lowering/curved_elements.hpp"
#include "dg/lowering/curved_terms.hpp"
#include "dg/lowering/lowered_term.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/lowering/varying_media.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/program.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// The semi-discrete operator, interpreted: plain loops in double over the same symbols from which kernels are
/// generated. It is slow and meant to be read; every generated kernel is tested against it.
/// Nodal values are ordered [element][field][node]. On a part of a mesh they are those of ghosts, too, which are read;
/// results are computed for own elements alone, and those of ghosts stay as they were.
class ReferenceOperator {
 public:
  /// Both must outlive the operator. Throws ConfigError as CurvedElements does.
  ReferenceOperator(const Discretization& discretization, const Problem& problem);

  /// rhs = volume(q, dq/dx) + LIFT (Fscale * flux) + terms, at time t. `u` and `rates` are the auxiliary variables of
  /// terms and their time derivatives, in the order of auxiliary_count. If `u` is empty, these variables are zero; if
  /// `rates` is empty, their derivatives are not computed.
  void rhs(std::span<const double> q, double t, std::span<double> rhs, std::span<const double> u = {},
           std::span<double> rates = {}) const;
  /// The integrals of System::energies over the mesh (over the own elements of a part), in that order.
  [[nodiscard]] std::vector<double> energies(std::span<const double> q) const;
  /// result = W q with the symmetric matrix W for which q . (W q) is the sum of all energies. On curved elements it is
  /// the energy that the scheme conserves (CurvedElements).
  void apply_energy_matrix(std::span<const double> q, std::span<double> result) const;
  /// Values of a state: K fields Np.
  [[nodiscard]] std::size_t size() const;

 private:
  [[nodiscard]] bool is_curved(std::size_t k) const { return discretization_.mesh.curved.is_curved(k); }
  /// [field, field] symmetric: energy = sum over elements of |J| u^T M u times this.
  [[nodiscard]] Eigen::MatrixXd energy_weights(const System::Energy& energy, std::span<const double> constants) const;
  void add_volume(std::size_t k, std::span<const double> q, std::span<double> rhs) const;
  void add_surface(std::size_t k, std::span<const double> q, double t, std::span<double> rhs) const;
  /// Adds what a term is in its element or at its face number i. `u` and `rates` are of that element or face.
  void add_term(const ElementTerm& term, const InterpretedTerm& interpreted, std::size_t i, std::span<const double> q,
                std::span<const double> u, double t, std::span<double> rhs, std::span<double> rates) const;
  void add_term(const FaceTerm& term, const InterpretedTerm& interpreted, std::size_t i, std::span<const double> q,
                std::span<const double> u, double t, std::span<double> rhs, std::span<double> rates) const;
  /// The outside trace of all fields at node i of a face.
  void outside_trace(std::size_t k, int face, int i, std::span<const double> q, double t, std::span<double> q_p) const;

  const Discretization& discretization_;
  const Problem& problem_;
  LoweredSystem lowered_;
  MaterialTable materials_;
  VaryingMedia media_;
  symbolic::Program volume_, flux_;
  std::vector<symbolic::Program> outside_;  ///< [boundary]
  std::vector<InterpretedTerm> element_terms_, face_terms_;
  std::vector<InterpretedTerm> curved_element_terms_, curved_face_terms_;  ///< the same as curved elements have them
  std::optional<CurvedElements> curved_;                                   ///< none where all elements are straight
  std::optional<CurvedTerms> curved_terms_;                                ///< none where these have no terms, either
};

}  // namespace maxwell_dg::dg
