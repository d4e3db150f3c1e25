#pragma once

#include <vector>

#include "dg/lowering/lowering.hpp"

namespace maxwell_dg::dg {

/// One sum of products with differentiation matrices: sum over terms of +-D_axis operand.
struct Contraction {
  struct Term {
    int axis{};     ///< 0, 1, 2: Dr, Ds, Dt
    int operand{};  ///< which nodal quantity it acts on
    bool negative{};
    auto operator<=>(const Term&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0 in it
  };
  std::vector<Term> terms;
};

/// A lowered system in the form that needs the fewest matrix products on an affine element. With x_a = dx/dr_a and
/// E_a = x_a . E (covariant components), a = r, s, t:
///
///   curl E = 1/J sum_a x_a (D_b E_c - D_c E_b),  (a, b, c) cyclic:  3 contractions of 6 products instead of 9
///   div u  = sum_a D_a (grad r_a . u):                              1 contraction of 3 products instead of 9
///   dq/dx  = sum_a (dr_a/dx) D_a q:                                 3 contractions of 1 product
///
/// (Nanson's and Piola's identities; J and the metric are constant on the element.) Signs are such that few terms are
/// negative. What depends on one element or one face alone, not on the node, becomes an *invariant*: computed once for
/// all nodes; in `operands` and `volume` LoweredSymbol::Kind::invariant counts element invariants, in `flux` face
/// invariants.
struct ContractedSystem {
  std::vector<symbolic::Expr> element_invariants;  ///< of the metric and constants
  std::vector<symbolic::Expr> face_invariants;     ///< of the normal, Fscale and both sides' constants
  std::vector<symbolic::Expr> operands;            ///< of fields at a node and element invariants
  std::vector<Contraction> contractions;
  std::vector<symbolic::Expr> volume;  ///< [field] of contractions, fields at the node, element invariants
  /// Fields whose volume terms share contractions, together: Maxwell has two parts.
  std::vector<std::vector<int>> parts;
  /// [field] of both traces, the normal, face invariants; times Fscale. None where the metric is at hand: such kernels
  /// lift by components (Lifting).
  std::vector<symbolic::Expr> flux;
  /// In the basis of the element alone (ElementBasis), where volume terms and fluxes are of contractions: [field] the
  /// right-hand side of their sums, fields at the node and element invariants. A sum goes by its contraction's number.
  std::vector<symbolic::Expr> equations;
  bool metric_is_at_hand = false;  ///< gradients and tangents are no invariants but stay as symbols
};

[[nodiscard]] ContractedSystem contract(const LoweredSystem& lowered, bool metric_is_at_hand = false);

/// Volume terms are linear in fields and contractions: what one has of the others.
[[nodiscard]] symbolic::Expr without_fields(const symbolic::Expr& linear);
[[nodiscard]] symbolic::Expr without_contractions(const symbolic::Expr& linear);

/// The symbol of a contraction, by its number; of sums of a Lifting, behind those.
[[nodiscard]] inline symbolic::Expr contraction(int number) {
  using symbolic::LoweredSymbol;
  return symbolic::Expr(LoweredSymbol{.kind = LoweredSymbol::Kind::contraction, .number = number});
}

/// Sets of fields such that those that need a common contraction are in one set, in the order of their first fields.
[[nodiscard]] std::vector<std::vector<int>> parts_of(const std::vector<symbolic::Expr>& right_hand_sides);

/// Turns the signs of operands and of whole contractions where that leaves fewer negative terms, since kernels have to
/// negate a factor for each: of the six terms of a curl, one of three. In `volume`, contractions stand for the same
/// sums as before.
void turn_signs(ContractedSystem& system);

}  // namespace maxwell_dg::dg
