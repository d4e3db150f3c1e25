#pragma once

#include <array>
#include <vector>

#include "dg/operator/contraction.hpp"

namespace maxwell_dg::dg {

/// The lift of a system's fluxes in the form that needs the fewest products, on an affine element. The flux of a vector
/// is often tangential (Maxwell) or along the normal (acoustics). In the basis of the element it then has few
/// components, different ones on each face:
///
///   F = J sum_a (grad r_b x grad r_c) (grad r_a . F),  n . F = 0:  two components, three on the face r + s + t = -1
///   F = (n . F) n,  n along -grad r_a or grad r + grad s + grad t: one component, the same in all three places
///
/// so that of twelve lifted components nine, or six, remain; values are one a component, or one a face. Other fields
/// are lifted one by one.
struct Lifting {
  struct Term {
    int face{};
    int value{};  ///< of that face
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
