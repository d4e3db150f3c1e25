#pragma once

#include "dg/checkpoint/archive.hpp"
#include "dg/operator/operator.hpp"

namespace maxwell_dg::dg {

/// Puts the auxiliary variables of terms into an archive as "unknowns", [term, element and variable][node], those of
/// curved elements as "unknowns.curved", [term, element and variable][volume point], those of faces as "unknowns.faces"
/// and "unknowns.curved_faces", [term, face and variable][face node or point], in the state's precision (of several
/// ranks Archive::Array::part of own elements), and the injected energies of powers as "put_in". Waits for the device.
/// Collective.
void save_auxiliary(const Operator& op, Archive& archive);

/// Gives an operator the state that StateCopy::save and `save_auxiliary` put into an archive: to the bit in the same
/// precision and basis (Schedule::Basis), converted from others; from another order interpolated, each element's
/// polynomials at the operator's nodes (so a higher order represents the very same fields). The mesh must be the same,
/// its elements in the same order; that is the caller's to check. Each of several ranks reads the rows of its own
/// elements. Collective. Throws ConfigError for a state of other fields, in a
/// basis that this system's cannot be in, or of another number of elements.
void load_state(Operator& op, const Archive& archive);

}  // namespace maxwell_dg::dg
