#pragma once

#include <span>
#include <vector>

#include "dg/maxwell/port.hpp"
#include "dg/maxwell/symmetry.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

/// A source with a resistance between two conductors, on the faces that span the gap between them, inside the mesh or
/// on its outside (docs/theory.md, Lumped ports).
namespace maxwell_dg::dg::maxwell {

/// The faces of a lumped port and those of its conductors.
struct Gap {
  std::vector<ElementFace> faces;     ///< inside the mesh both sides of each
  std::vector<ElementFace> from, to;  ///< of the conductors
};

/// The film that has this resistance, relative to Z_0, between the conductors: E_t = V e with e the electrostatic field
/// of a potential of 1 on the edges where the port meets `from` and 0 where it meets `to`; no current leaves through
/// its other edges. A film of the sheet resistance R_s carries the current V / R with R = R_s over the integral of e.e
/// for V = 1: of a rectangle R_s times length over width. `faces` may be curved, and lie in no plane.
///
/// Throws std::invalid_argument where faces lie inside the mesh and others outside, media vary within elements or are
/// tensors, the port meets a conductor along no edge, both at one place, or with a part of its faces only one, and
/// where it meets other metal along an edge.
[[nodiscard]] PortMode lumped_mode(const Discretization& discretization, const Problem& problem, Gap gap,
                                   double resistance, std::span<const SymmetryPlane> symmetry = {});

}  // namespace maxwell_dg::dg::maxwell
