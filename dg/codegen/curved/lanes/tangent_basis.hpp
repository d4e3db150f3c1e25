#pragma once

#include <vector>

#include "dg/lowering/element_basis.hpp"
#include "dg/mesh/curved/curved_geometry.hpp"

namespace maxwell_dg::dg {

/// The basis of the element (ElementBasis) from other numbers of the metric at a node: the tangents x_r, x_s, x_t, then
/// 1/J and, where vectors are contravariant, the sign of J. Tangential traces then take the fewest operations, and
/// nothing is divided. In expressions these are invariants.
class TangentBasis {
 public:
  /// `basis` must outlive it.
  explicit TangentBasis(const ElementBasis& basis) : basis_(basis) {}

  /// How many numbers there are at a node, and which.
  [[nodiscard]] int count() const { return has_contravariant() ? of_sign + 1 : of_inverse_J + 1; }
  [[nodiscard]] std::vector<double> numbers(const CurvedGeometry::Gradients& gradients) const;
  /// [field] what is stored, of fields along x, y and z; and these of what is stored.
  [[nodiscard]] std::vector<symbolic::Expr> stored() const;
  [[nodiscard]] std::vector<symbolic::Expr> cartesian() const;

 private:
  static constexpr int of_inverse_J = 9, of_sign = 10;
  [[nodiscard]] bool has_contravariant() const;

  const ElementBasis& basis_;
};

}  // namespace maxwell_dg::dg
