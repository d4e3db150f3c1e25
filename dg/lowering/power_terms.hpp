#pragma once

#include <string>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// Everything that changes the energy of a problem, in terms: where one adds g to dq/dt at the nodes, its energy
/// changes at the rate q^T M h with h_f = 2 w_f g_f + couplings, M the mass matrix of the element or the face. `added`
/// and `flux` of these terms are that density h.
///
/// A share of the right-hand side is what the system itself says of it:
///
///   losses    the volume terms without their derivatives
///   upwind    at inner faces the flux and half of A_n q, where A_n q stands for the volume terms with n in the place
///   of
///             the gradient. The derivatives' work is q^T A q / 2 on the surface of each element, so that nothing else
///             is left of them; of two sides the central flux cancels, and what the upwind flux takes remains
///   pec ...   the same at the faces of a boundary condition, outside being what the condition says
///   others    each term of the problem, by its name
///
/// Their sum is dW/dt of the semi-discrete equations, to rounding.
struct PowerTerms {
  std::vector<ElementTerm> on_elements;  ///< the problem's own first, in their order, with their auxiliary variables
  std::vector<FaceTerm> on_faces;

  /// Each name once: some terms share one.
  [[nodiscard]] std::vector<std::string> names() const;
};

[[nodiscard]] PowerTerms power_terms(const Discretization& discretization, const Problem& problem);

}  // namespace maxwell_dg::dg
