#pragma once

#include <array>
#include <optional>
#include <vector>

#include "dg/lowering/contraction.hpp"
#include "dg/lowering/lifting.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/symbolic/tensor.hpp"

namespace maxwell_dg::dg {

/// Describes a state whose vectors are stored by their components in a basis of each element, not along x, y and z.
/// With x_a = dx/dr_a, a = r, s, t, and the signed J, the stored components are:
///
///   E_a = x_a . E             if the equations take the vector's curl (covariant):            E = sum_a E_a grad r_a
///   u^a = |J| grad r_a . u    if the equations take the vector's divergence (contravariant):  u = sum_a u^a x_a / |J|
///
/// Differentiation matrices then act on the stored values themselves. The flux at a face depends on few numbers, which
/// the two elements at the face store alike and need not transform: of a covariant vector E . tau_1 and E . tau_2, with
/// the edges tau_1 and tau_2 of the face (FaceFrame; they are the same on both sides because vertices are sorted by
/// number); of a contravariant vector |J| Fscale n . u, which has opposite signs on the two sides.
struct ElementBasis {
  enum class Variance { scalar, covariant, contravariant };
  struct Quantity {
    Variance variance{};
    int first{};  ///< its first field; a vector has three adjacent ones
  };
  std::vector<Quantity> quantities;
  std::vector<symbolic::Expr> stored;     ///< [field] from the fields along x, y, z and the metric
  std::vector<symbolic::Expr> cartesian;  ///< [field] from the stored values and the metric

  /// Whether the quantities of the second half of the fields have the variances of those of the first half, in the same
  /// order: E and H, say.
  [[nodiscard]] bool has_two_of_each_kind() const;
};

/// Which face invariants a kernel computes from other numbers instead of reading them from memory.
struct ComputedOnFaces {
  /// One invariant gives the coefficients of both traces of a covariant vector: it is multiplied by products of the
  /// face's edges (`edges` in affine_map.hpp), which follow from the element invariants x_a . x_b / J.
  bool edges = false;
  /// The products of the edges are divided by Fscale. What is left of an invariant is then a number of the media alone.
  bool over_scale = false;
  /// One invariant c also gives 1 - c, or the orientation of the face less c: c = Z_p / (Z_m + Z_p), say, gives
  /// Z_m / (Z_m + Z_p). The rounding error of the difference is relative to 1, not to the difference.
  bool complements = false;
};

/// The number of the element invariant x_a . x_b / J, in the basis of the element of a system with covariant vectors:
/// these six come first.
[[nodiscard]] constexpr int product_of_tangents(int a, int b) {
  return a < b ? product_of_tangents(b, a) : b == 0 ? a : a + b + 1;
}

/// What the derivative in the equations of a scalar or vector is multiplied with: a number of the element, and for a
/// vector maybe a tensor.
struct Factor {
  symbolic::Expr number = 1.0;
  std::optional<symbolic::Tensor> tensor{};
};

/// What factors the equations of a basis may have.
enum class Factors { numbers, tensors };

/// The basis of the element for a system all of whose equations have one of the forms
///
///   dE/dt = phi curl H + c E,   du/dt = phi grad p + c u,   dp/dt = phi div u + c p
///
/// with numbers phi and c of the element, and whose fluxes are linear, depend on nothing but the traces described at
/// ElementBasis, and point along the face for E and through it for u. None for any other system: one with anisotropic
/// media, say.
///
/// With Factors::tensors, phi may be a symmetric tensor whose inverse is the weight of the vector in the energy, up to
/// a number, and what is said of fluxes holds of phi^-1 times the flux. The losses of such a vector are no part of
/// `contract`: see losses_are_a_term.
[[nodiscard]] std::optional<ElementBasis> element_basis(const LoweredSystem& lowered,
                                                        Factors factors = Factors::numbers);

/// The axes that the operands of contractions have: r, s, t, or those of mirror sums (MirrorSums).
enum class Axes { reference, mirror };

/// The equations of the stored components, for affine elements. With g_ab = x_a . x_b, g^ab = grad r_a . grad r_b, and
/// l_a, l the fluxes that are lifted to each contraction:
///
///   dE_a/dt = phi sum_b g_ab / J (D_c H_d - D_d H_c + l_b) + c E_a,  (b, c, d) cyclic
///   du^a/dt = phi sum_b |J| g^ab (D_b p + l_b) + c u^a
///   dp/dt   = phi / |J| (sum_a D_a u^a + l) + c p
///
/// and where phi is a tensor x_a . phi x_b / J in place of phi g_ab / J, grad r_a . phi grad r_b of phi g^ab.
///
/// A contraction has the number of its field. In `flux`, a field symbol is a trace: of a covariant vector with first
/// field f, the symbols f and f + 1 are its components along tau_1 and tau_2; of a contravariant one, f is its
/// component through the face. Fluxes are numbered in the same way: f and f + 1 are l_a and l_b of the frame's axes a
/// and b, or f is l_c. Face invariants depend on the metric in the frame of the face (FaceFrame), the normal, Fscale
/// and the constants of both sides.
///
/// With Axes::mirror, operands, contractions and the fluxes that are lifted to them have components along u, v, w of
/// MirrorSums in place of r, s, t; `lifted_along_mirror_axes` gives those fluxes from l_a. The equations still have
/// components along r, s, t, as the fields do.
///
/// The coefficient of a trace is the flux with this trace set to 1 and all others to 0. Which coefficients vanish, or
/// are the same up to a sign or to what kernels compute (`computed`), is found by evaluating them at random elements
/// (FaceSample).
[[nodiscard]] ContractedSystem contract(const LoweredSystem& lowered, const ElementBasis& basis,
                                        const ComputedOnFaces& computed, Axes axes = Axes::reference);

/// [axis u, v, w][axis r, s, t] the matrix that takes fluxes l_a along r, s, t, lifted to the contractions of a vector
/// of this variance, to those along u, v, w.
[[nodiscard]] std::array<std::array<double, 3>, 3> lifted_along_mirror_axes(ElementBasis::Variance variance);

/// How the fluxes of `contracted` are lifted to its contractions: sum number f belongs to contraction f.
[[nodiscard]] Lifting lifting_in(const ElementBasis& basis, const ContractedSystem& contracted);

}  // namespace maxwell_dg::dg
