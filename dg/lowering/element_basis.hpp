#pragma once

#include <array>
#include <optional>
#include <vector>

#include "dg/lowering/contraction.hpp"
#include "dg/lowering/lifting.hpp"
#include "dg/lowering/lowering.hpp"

namespace maxwell_dg::dg {

/// The state of a system whose vectors are kept by their components in the basis of each element, not along x, y and z.
/// With x_a = dx/dr_a, a = r, s, t, and the signed J:
///
///   E_a = x_a . E             of a vector whose curl is taken (covariant):      E = sum_a E_a grad r_a
///   u^a = |J| grad r_a . u    of one whose divergence is taken (contravariant): u = sum_a u^a x_a / |J|
///
/// Derivatives then act on what is stored, and both elements at a face agree on the few numbers that its flux depends
/// on, with no transformation: along the edges tau_1 and tau_2 of the face, E . tau_1 and E . tau_2 (the vertices of
/// all elements are in one order); through the face |J| Fscale n . u, of opposite sign on its two sides.
struct ElementBasis {
  enum class Variance { scalar, covariant, contravariant };
  struct Quantity {
    Variance variance{};
    int first{};  ///< field; a vector has three
  };
  std::vector<Quantity> quantities;
  std::vector<symbolic::Expr> stored;     ///< [field] of the fields along x, y, z and the metric
  std::vector<symbolic::Expr> cartesian;  ///< [field] of what is stored and the metric

  /// Whether the first half of the fields is followed by as many of the same kinds.
  [[nodiscard]] bool has_two_of_each_kind() const;
};

/// Which numbers of a face a kernel makes from others, so that it has fewer to read.
struct MadeOnFaces {
  /// The coefficients of a covariant vector's two traces from one, by products of edges (affine_map.hpp), and these
  /// from the x_a . x_b / J that the equations need anyway.
  bool edges = false;
  /// What is left of 1, or of the orientation: of Z_p / (Z_m + Z_p), say, which is Z_m / (Z_m + Z_p). It is rounded
  /// relative to 1, not to itself.
  bool complements = false;
};

/// Which element invariant x_a . x_b / J is, in the basis of the element of a system with covariant vectors: they are
/// the first six.
[[nodiscard]] constexpr int product_of_tangents(int a, int b) {
  return a < b ? product_of_tangents(b, a) : b == 0 ? a : a + b + 1;
}

/// None for a system that is not made of
///
///   dE/dt = phi curl H + c E,   du/dt = phi grad p + c u,   dp/dt = phi div u + c p
///
/// with numbers phi and c of the element, linear fluxes that depend on the traces above alone, along a face in the
/// first form and through it in the second: of one with anisotropic media, say.
[[nodiscard]] std::optional<ElementBasis> element_basis(const LoweredSystem& lowered);

/// The equations of what is stored, for affine elements. With g_ab = x_a . x_b, g^ab = grad r_a . grad r_b, and l what
/// the lift adds to each contraction:
///
///   dE_a/dt = phi sum_b g_ab / J (D_c H_d - D_d H_c + l_b) + c E_a,  (b, c, d) cyclic
///   du^a/dt = phi sum_b |J| g^ab (D_b p + l_b) + c u^a
///   dp/dt   = phi / |J| (sum_a D_a u^a + l) + c p
///
/// Contraction and field have the same number. In `flux`, fields are traces: of a covariant vector with first field f,
/// f and f + 1 are its components along tau_1 and tau_2; of a contravariant one f is that through the face. A flux has
/// the numbers of what it is lifted to, in the same way: l_a and l_b along the face, or l across it. Face invariants
/// are of the metric in the frame of the face (FaceFrame), the normal, Fscale and both sides' constants.
///
/// Along the axes of mirror sums (MirrorSums), u, v, w for r, s, t, the operands are components along those, and so are
/// contractions, and what the lift adds to them: `lifted_along_mirror_axes` of l_a. Equations are of r, s, t, as the
/// fields are.
///
/// The coefficients of the fluxes come from the system by putting in one trace at a time; which of them vanish, or are
/// the same but for a sign or what is `made`, is found out by trying them at random elements.
enum class Axes { reference, mirror };
[[nodiscard]] ContractedSystem contract(const LoweredSystem& lowered, const ElementBasis& basis,
                                        const MadeOnFaces& made, Axes axes = Axes::reference);

/// [axis u, v, w][axis r, s, t] what is lifted to the contractions of a vector of this variance.
[[nodiscard]] std::array<std::array<double, 3>, 3> lifted_along_mirror_axes(ElementBasis::Variance variance);

/// The lift of these fluxes: its sums have the numbers of the fields.
[[nodiscard]] Lifting lifting_in(const ElementBasis& basis, const ContractedSystem& contracted);

}  // namespace maxwell_dg::dg
