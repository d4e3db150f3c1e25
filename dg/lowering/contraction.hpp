#pragma once

#include <optional>
#include <vector>

#include "dg/lowering/lowering.hpp"

namespace maxwell_dg::dg {

/// One sum of products with differentiation matrices: the sum over its terms of +-D_axis times an operand's nodal
/// values.
struct Contraction {
  struct Term {
    int axis{};     ///< 0, 1, 2: Dr, Ds, Dt
    int operand{};  ///< an index into ContractedSystem::operands
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
/// (These are Piola's identities, with Nanson's formula for the x_a; J and the metric are constant on the element.)
/// Signs are chosen such that few terms are negative. A number that is the same at all nodes of an element or of a face
/// becomes an *invariant*, which is computed once. Where an expression has LoweredSymbol::Kind::invariant, its number
/// is an index into `element_invariants` in `operands`, `volume` and `equations`, and into `face_invariants` in `flux`.
struct ContractedSystem {
  std::vector<symbolic::Expr> element_invariants;  ///< of the metric and constants
  std::vector<symbolic::Expr> face_invariants;     ///< of the normal, Fscale and both sides' constants
  std::vector<symbolic::Expr> operands;            ///< of fields at a node and element invariants
  std::vector<Contraction> contractions;
  std::vector<symbolic::Expr> volume;  ///< [field] of contractions, fields at the node, element invariants
  /// [part] its fields. Fields whose volume terms share a contraction are in one part: Maxwell's equations have two.
  std::vector<std::vector<int>> parts;
  /// [field] Fscale times the flux, of both traces, the normal and face invariants. Empty if the metric is at hand:
  /// such kernels lift by components (Lifting).
  std::vector<symbolic::Expr> flux;
  /// Only in the basis of the element (ElementBasis): [field] the right-hand side, of fields at the node, element
  /// invariants and sums. A sum is a contraction plus what is lifted to it, and has the contraction's number.
  std::vector<symbolic::Expr> equations;
  bool metric_is_at_hand = false;  ///< gradients and tangents stay symbols; they do not become parts of invariants
};

/// The contracted form of a system whose state has components along x, y, z. `metric_is_at_hand`: the kernel has the
/// gradients of r, s and t itself.
[[nodiscard]] ContractedSystem contract(const LoweredSystem& lowered, bool metric_is_at_hand = false);

/// An expression that is nothing but a field, or minus one, as operands often are.
struct SignedField {
  int index{};
  bool is_negative{};
};
[[nodiscard]] std::optional<SignedField> as_field(const symbolic::Expr& e);

/// A volume term is a sum of terms that are linear in fields at the node and terms that are linear in contractions.
/// These return the one without the other: they set all fields, or all contractions, to zero.
[[nodiscard]] symbolic::Expr without_fields(const symbolic::Expr& linear);
[[nodiscard]] symbolic::Expr without_contractions(const symbolic::Expr& linear);

/// The symbol of a contraction, by its number. The sums of a Lifting continue this numbering.
[[nodiscard]] inline symbolic::Expr contraction(int number) {
  using symbolic::LoweredSymbol;
  return symbolic::Expr(LoweredSymbol{.kind = LoweredSymbol::Kind::contraction, .number = number});
}

/// Divides fields into sets: fields whose right-hand sides ([field]) share a contraction are in one set. Sets are in
/// the order of their first fields.
[[nodiscard]] std::vector<std::vector<int>> parts_of(const std::vector<symbolic::Expr>& right_hand_sides);

/// Changes the signs of operands and of whole contractions where that leaves fewer negative terms, since kernels negate
/// a factor for each of them: of the six terms of a curl's contractions one is negative then, not three. `volume` is
/// adapted, so that its values stay the same.
void choose_signs(ContractedSystem& system);

}  // namespace maxwell_dg::dg
