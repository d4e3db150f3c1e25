#pragma once

#include <vector>

#include "dg/lowering/element_basis.hpp"

namespace maxwell_dg::dg {

/// [field] the fluxes of a system in the basis of the element, by the traces, as in `contract`, in coefficients that
/// are appended to `invariants` of the face. `factors`: [quantity of the basis] what its equation multiplies its
/// derivative by, which the flux of it is divided by.
[[nodiscard]] std::vector<symbolic::Expr> flux_of_traces(const LoweredSystem& lowered, const ElementBasis& basis,
                                                         const std::vector<symbolic::Expr>& factors,
                                                         const MadeOnFaces& made,
                                                         std::vector<symbolic::Expr>& invariants);

}  // namespace maxwell_dg::dg
