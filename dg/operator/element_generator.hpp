#pragma once

#include <string>
#include <vector>

#include "dg/operator/fused_generator.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

/// Prints dg/kernels/stage_elements.kernel, a stage in which an item has an element, or one part of its equations
/// (Schedule::Slicing::elements_in_parallel). Matrices become literals, and their zeros nothing at all: for low orders,
/// whose nodes fit in registers and whose products fit in the cache of instructions.
class ElementGenerator : public FusedGenerator {
 public:
  /// Throws std::invalid_argument on a schedule that is none of elements_in_parallel.
  ElementGenerator(const LoweredSystem& lowered, Options options);

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int group_items() const override { return elements_per_group() * parts(); }
  [[nodiscard]] std::size_t on_chip_bytes() const override;
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement&) const override { return {}; }
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement&) const override { return {}; }

 private:
  [[nodiscard]] int parts() const { return static_cast<int>(contracted_.parts.size()); }
  /// `body(p)` for the items of part p; the same statements without a condition where there is one part.
  template <class F>
  [[nodiscard]] rtcg::syntax::Block each_part(F body) const;
  /// The fluxes of one face, node by node, each given to `use(field, node, value)`.
  template <class F>
  [[nodiscard]] rtcg::syntax::Block fluxes(int face, F use) const;
  /// rhs[l][.] += column `j` of LIFT times a value.
  [[nodiscard]] rtcg::syntax::Block lifted(std::size_t l, int j, const std::string& value) const;
  /// rhs += volume term, by sums w[contraction][node].
  [[nodiscard]] rtcg::syntax::Block volume(const Part& part) const;
  [[nodiscard]] rtcg::syntax::Block lift(const Part& part) const;
  [[nodiscard]] rtcg::syntax::Block work() const;
  [[nodiscard]] std::string real(double value) const;

  ReferenceElement reference_;
  int exchange_;  ///< values that a field's flux on one face takes on the chip
};

}  // namespace maxwell_dg::dg
