#pragma once

#include <string>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// Splits the rate of change dW/dt of a problem's energy by its causes. If something adds g to dq/dt at the nodes of an
/// element or of a face, the energy changes at the rate q^T M h, where M is the mass matrix of the element or face and
/// h_f = 2 w_f g_f + (the same of couplings), with the weights w of System::Energy. Here `added` and `flux` of each
/// term are that density h. The causes are:
///
///   losses    the volume terms without derivatives: conductivity, say
///   upwind    at inner faces the flux plus A_n q / 2, where A_n q is the volume term with n in place of the gradient.
///             (Integrated by parts, the derivatives contribute q^T A_n q / 2 on the surface of each element.) Summed
///             over the two sides of a face, the central flux contributes nothing: the dissipation of the upwind flux
///             remains
///   pec ...   the same at the faces of each boundary condition, with its outside trace
///   others    each term of the problem, by its name
///
/// Their sum is dW/dt of the semi-discrete equations, up to rounding (docs/theory.md, Energy). On curved elements they
/// are integrals over quadrature points, and sum up to the rate of the energy of the scheme, but for losses, whose
/// power is that of the energy by quadrature (docs/theory.md, "Curved elements").
struct PowerTerms {
  std::vector<ElementTerm> on_elements;  ///< first the problem's own terms, in their order and with their variables
  std::vector<FaceTerm> on_faces;        ///< first the problem's own terms

  /// The names of the causes, each once (several terms may have the same name): first of faces, then of elements.
  [[nodiscard]] std::vector<std::string> names() const;
};

/// Of a part of a mesh: of its own elements.
[[nodiscard]] PowerTerms power_terms(const Discretization& discretization, const Problem& problem);

/// The names of the powers of a mesh of which each rank has a part, with the same terms: those that some rank has, in
/// the order of PowerTerms::names of the whole. Collective.
[[nodiscard]] std::vector<std::string> power_names(const Discretization& part, const Problem& problem,
                                                   const core::Communicator& ranks);

}  // namespace maxwell_dg::dg
