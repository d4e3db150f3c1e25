#pragma once

#include <vector>

#include "dg/lowering/element_basis.hpp"

namespace maxwell_dg::dg {

/// [field] the fluxes of a system in the basis of the element, as sums of traces times coefficients; how traces and
/// fluxes are numbered is described at `contract` (element_basis.hpp). The coefficients are face invariants, which are
/// appended to `invariants`. `factors`: [quantity of the basis] the factor phi of the derivative in its equation, by
/// which its flux is divided, or whose inverse it is multiplied with.
[[nodiscard]] std::vector<symbolic::Expr> flux_of_traces(const LoweredSystem& lowered, const ElementBasis& basis,
                                                         const std::vector<Factor>& factors,
                                                         const ComputedOnFaces& computed,
                                                         std::vector<symbolic::Expr>& invariants);

/// What `computed` takes out of invariants: the products of a face's edges, of which edges(k) (affine_map.hpp) is
/// number k.
[[nodiscard]] std::vector<symbolic::Expr> edge_products(const ComputedOnFaces& computed);

}  // namespace maxwell_dg::dg
