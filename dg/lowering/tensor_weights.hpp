#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dg/lowering/element_basis.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/symbolic/program.hpp"
#include "dg/symbolic/tensor.hpp"

namespace maxwell_dg::dg {

/// The weight of a vector of unknowns, whose first field this is, in the energies: epsilon of E.
[[nodiscard]] symbolic::Tensor energy_weight(const LoweredSystem& lowered, int first);

/// The inverse weights of the fields in the energies, where these are tensors: of what a term adds to sums, a change of
/// the fields follows by them. They are numbers at a point, six of a vector and one of a scalar.
class TensorWeights {
 public:
  TensorWeights(const LoweredSystem& lowered, const ElementBasis& basis);

  /// epsilon^-1 v, say, along x, y and z: of [field] expressions, with the numbers as invariants.
  [[nodiscard]] std::vector<symbolic::Expr> divide(std::vector<symbolic::Expr> fields) const;
  [[nodiscard]] std::size_t count() const { return weights_.outputs().size(); }
  /// The numbers where the constants of LoweredSystem are these.
  [[nodiscard]] std::vector<double> inverse(std::span<const double> constants) const;

 private:
  std::vector<ElementBasis::Quantity> quantities_;
  symbolic::Program weights_;
};

}  // namespace maxwell_dg::dg
