#pragma once

#include <array>
#include <vector>

#include "dg/lowering/contraction.hpp"

namespace maxwell_dg::dg {

/// The lift of a system's fluxes in the form that needs the fewest products, on an affine element. The flux of a vector
/// is often written as n x A (Maxwell) or f n (acoustics). In the basis of the element it then has few components,
/// different ones on each face; with x_a = dx/dr_a:
///
///   F = sum_a x_a (grad r_a . F), F = n x A:  two components, and on the face across from node (-1, -1, -1) a third
///                                             that is minus their sum
///   F = f n, Fscale n = -grad r_a or grad r + grad s + grad t:  f, in one component or in all three
///
/// so that of twelve numbers eight, or four, are to be computed, and nine, or four, products with LIFT remain. Other
/// fields are lifted one by one.
struct Lifting {
  struct Term {
    int face{};
    int value{};  ///< of that face
    bool negative = false;
    bool operator==(const Term&) const = default;
  };
  /// [face] what is to be computed at a face node, of both traces, the normal, the metric and face invariants.
  std::array<std::vector<symbolic::Expr>, 4> values;
  /// [sum] LIFT_face value, over its terms.
  std::vector<std::vector<Term>> sums;
  /// [field] what the lift adds to the right-hand side, of the sums (as contractions behind those of the volume terms)
  /// and element invariants.
  std::vector<symbolic::Expr> rhs;
};

/// Invariants that it needs and that `contracted` does not have yet are added there, behind the others.
[[nodiscard]] Lifting lift_by_components(const LoweredSystem& lowered, ContractedSystem& contracted);

}  // namespace maxwell_dg::dg
