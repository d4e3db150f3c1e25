#pragma once

#include <vector>

#include "dg/maxwell/one_port.hpp"
#include "dg/maxwell/port.hpp"
#include "dg/symbolic/system.hpp"

/// Circuits between conductors: films that carry a current which depends on the history of the voltage
/// (docs/theory.md, Lumped elements).
namespace maxwell_dg::dg::maxwell {

/// A circuit on the faces that span the gap between two conductors, of which lumped_mode tells how voltage and current
/// spread over them: each square of the film is that circuit with its impedance times LumpedFilm::squares.
struct LumpedElement {
  PortMode mode;
  OnePort circuit;  ///< inside: admittances relative to 1/Z_0, times as lengths
};

/// The terms of all elements. Auxiliary variables are the states of the circuit of a square, three components for each,
/// at the nodes of the faces: of a film between elements both sides have their own, which are equal but for rounding.
/// On the outside of the mesh the condition `absorbing` must hold at the faces, in whose place the term puts the film.
/// Faces that are PointLocation::elsewhere are left to other ranks, which have the same terms.
[[nodiscard]] std::vector<FaceTerm> lumped_element_terms(const System& system,
                                                         const std::vector<LumpedElement>& elements);

}  // namespace maxwell_dg::dg::maxwell
