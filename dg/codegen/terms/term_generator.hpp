#pragma once

#include <string>
#include <vector>

#include "dg/codegen/kernel_generator.hpp"
#include "dg/lowering/lowered_term.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/term.hpp"

namespace maxwell_dg::dg {

/// Prints the kernel of a term for any order, precision and schedule: `element_term` or `face_term`, each with a text
/// of its own. A stage in one kernel does not store its right-hand side, so terms are added to the register and the new
/// state instead. For a term of PowerTerms, prints the kernel `power`.
class TermGenerator {
 public:
  /// `stage` gives the system, the order, the precision and the schedule. It must outlive the generator.
  explicit TermGenerator(const KernelGenerator& stage) : stage_(stage), options_(stage.options()) {}

  [[nodiscard]] rtcg::KernelSource element_term(const ElementTerm& term, const LoweredTerm& lowered) const;
  [[nodiscard]] rtcg::KernelSource face_term(const FaceTerm& term, const LoweredTerm& lowered) const;

  [[nodiscard]] rtcg::KernelSource power(const ElementTerm& term, const LoweredTerm& lowered) const;
  [[nodiscard]] rtcg::KernelSource power(const FaceTerm& term, const LoweredTerm& lowered) const;

  /// The values of a term's density, and of what else it computes, in kernels: {fields, constants, type, density}.
  [[nodiscard]] static rtcg::Record density(const LoweredTerm& lowered, const std::vector<symbolic::Expr>& outputs,
                                            Dtype precision);

  static constexpr int element_items = 64;             ///< work-items of a group of element_term
  [[nodiscard]] int face_items() const;                ///< of a group of face_term
  [[nodiscard]] int power_items(bool on_faces) const;  ///< of a group of power

 private:
  struct Sizes {
    int items, auxiliary, profiles;
    int nodes;  ///< of an element or face
    bool on_faces;
    std::string node;  ///< the kernel's variable for the number of a node
  };
  /// The template value `term` of term.kernel, for some of the term's outputs.
  [[nodiscard]] rtcg::Record values(const LoweredTerm& lowered, const std::vector<symbolic::Expr>& outputs,
                                    const Sizes& sizes) const;
  [[nodiscard]] rtcg::KernelSource power(const std::string& name, const LoweredTerm& lowered, const Sizes& sizes) const;
  [[nodiscard]] int Np() const { return node_count(options_.N); }
  [[nodiscard]] int Nfp() const { return face_node_count(options_.N); }

  const KernelGenerator& stage_;
  const KernelGenerator::Options& options_;
};

}  // namespace maxwell_dg::dg
