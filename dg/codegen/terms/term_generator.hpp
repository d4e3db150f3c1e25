#pragma once

#include <string>
#include <vector>

#include "dg/codegen/kernel_generator.hpp"
#include "dg/lowering/lowered_term.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/term.hpp"

namespace maxwell_dg::dg {

/// Prints the kernel of a term for any order, precision and schedule: `element_term` or `face_term`, each a text of its
/// own. A fused stage leaves no right-hand side behind, so its terms go to the residual and to the new state. Of a term
/// that stands for a power (see PowerTerms): `power`.
class TermGenerator {
 public:
  /// For the system, the order, the precision and the schedule of a stage, which outlives it.
  explicit TermGenerator(const KernelGenerator& stage) : stage_(stage), options_(stage.options()) {}

  [[nodiscard]] rtcg::KernelSource element_term(const ElementTerm& term, const LoweredTerm& lowered) const;
  [[nodiscard]] rtcg::KernelSource face_term(const FaceTerm& term, const LoweredTerm& lowered) const;

  [[nodiscard]] rtcg::KernelSource power(const ElementTerm& term, const LoweredTerm& lowered) const;
  [[nodiscard]] rtcg::KernelSource power(const FaceTerm& term, const LoweredTerm& lowered) const;

  static constexpr int element_items = 64;  ///< of a group of element_term
  [[nodiscard]] int face_items() const;     ///< of a group of face_term
  [[nodiscard]] int power_items(bool on_faces) const;

 private:
  struct Sizes {
    int items, auxiliary, profiles;
    int nodes;         ///< of the element or face
    std::string node;  ///< what the kernel calls one of them
  };
  /// What term.kernel is given as `term`, for some of the term's outputs.
  [[nodiscard]] rtcg::Record values(const LoweredTerm& lowered, const std::vector<symbolic::Expr>& outputs,
                                    const Sizes& sizes) const;
  [[nodiscard]] rtcg::KernelSource power(const std::string& name, const LoweredTerm& lowered, const Sizes& sizes,
                                         bool on_faces) const;
  [[nodiscard]] int Np() const { return node_count(options_.N); }
  [[nodiscard]] int Nfp() const { return face_node_count(options_.N); }

  const KernelGenerator& stage_;
  const KernelGenerator::Options& options_;
};

}  // namespace maxwell_dg::dg
