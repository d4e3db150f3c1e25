#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dg/lowering/contraction.hpp"
#include "dg/lowering/element_basis.hpp"
#include "dg/lowering/lifting.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/lowering/media_apart.hpp"
#include "dg/lowering/tensor_weights.hpp"

namespace maxwell_dg::dg {

/// The equations as curved elements have them: in the basis of the element, with the metric in invariants alone.
struct CurvedSystem {
  ElementBasis basis;
  ContractedSystem contracted;  ///< `equations` are of the sums, at quadrature points
  CountsAtPoints at_points;     ///< how many of the invariants of `contracted` differ from point to point: the first
  Lifting lifting;
  std::vector<symbolic::Expr> sums;  ///< [field] at nodes, of contractions and lifted fluxes

  // Terms enter by sums, too. With the matrix C from stored fields to those along x, y and z at a point, which follows
  // from the metric there, and the weight W = |J| C^T C: what an addition d along x, y and z adds to the sums, |J| C^T
  // d, and what sums s change in stored fields, W^-1 s. The numbers of the medium, which are the same in all of an
  // element, cancel. Both are [field], of field symbols in place of d and s. Tensors w do not cancel: d is weighted by
  // them (lower_for_curved), and W = |J| C^T w C, by the numbers of `tensors`.
  std::vector<symbolic::Expr> to_sums, from_sums;
  std::optional<TensorWeights> tensors{};  ///< where some weight is a tensor

  /// `axes`: of operands and contractions, and of what `contracted` says is lifted to them; `lifting` has it along r, s
  /// and t whatever these are. Throws ConfigError where the system has no basis of the element.
  [[nodiscard]] static CurvedSystem of(const LoweredSystem& lowered, const std::string& name,
                                       Axes axes = Axes::reference, const MediaApart& apart = {});

  /// What a face's fluxes read of fields in the basis of the element: the trace with a number (as in
  /// ContractedSystem::flux, in the basis of the element) is a sum of components.
  struct Trace {
    struct Term {
      int field{};
      bool negative = false;
    };
    int number{};
    bool through = false;  ///< through the face, out of the element: of opposite sign for the other element
    std::vector<Term> terms;
  };
  [[nodiscard]] std::vector<Trace> traces(int face) const;
  /// The fields of all quantities that any of these fields belong to, ascending: a vector has its three components.
  [[nodiscard]] std::vector<int> whole_quantities(const std::vector<int>& of) const;
};

}  // namespace maxwell_dg::dg
