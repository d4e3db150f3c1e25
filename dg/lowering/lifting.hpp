#pragma once

#include <array>
#include <vector>

#include "dg/lowering/contraction.hpp"

namespace maxwell_dg::dg {

/// The lift of a system's fluxes with the fewest products with LIFT, on an affine element. The flux F of a vector often
/// has the form n x A (Maxwell) or f n (acoustics). In the basis of the element (x_a = dx/dr_a) it then has few
/// different components on each face:
///
///   F = n x A = sum_a x_a (grad r_a . F):  two components; on the slanted face r + s + t = -1 a third, which is minus
///                                          the sum of these two
///   F = f n, with Fscale n = -grad r_a or, on the slanted face, grad r + grad s + grad t:  the one number f
///
/// Of the twelve components on four faces only eight (or four, of the second form) are computed, and nine (or four)
/// products with LIFT remain. Fields whose flux has neither form are lifted one by one.
struct Lifting {
  struct Term {
    int face{};
    int value{};  ///< an index into `values` of that face
    bool negative = false;
    bool operator==(const Term&) const = default;
  };
  /// [face] the values that are computed at each face node, from both traces, the normal, the metric and face
  /// invariants.
  std::array<std::vector<symbolic::Expr>, 4> values;
  /// [sum] the terms of sum over terms of +-LIFT_face value.
  std::vector<std::vector<Term>> sums;
  /// [field] what the lift adds to the right-hand side, of the sums and element invariants. A sum's symbol is a
  /// contraction, whose number is the number of the sum plus the count of ContractedSystem::contractions.
  std::vector<symbolic::Expr> rhs;
};

/// Finds this form for a system in components along x, y, z. Invariants that `contracted` does not have yet are
/// appended there.
[[nodiscard]] Lifting lift_by_components(const LoweredSystem& lowered, ContractedSystem& contracted);

}  // namespace maxwell_dg::dg
