#pragma once

#include <functional>
#include <span>
#include <string>

#include "dg/lowering/lowered_term.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// A term of elements that a stage in one kernel computes itself, before it updates the state, at the nodes of straight
/// elements (term_of_stage.kernel). It depends neither on time nor on positions.
struct TermOfStage {
  std::string name;
  LoweredTerm lowered;
  int profiles{};

  [[nodiscard]] int auxiliary() const { return static_cast<int>(lowered.rates.size()); }
};

/// How the numbers of such a term lie in arrays. The elements of the term are in blocks of `lanes`, that begin at
/// multiples of it in the mesh; a block is there if one of its elements has the term.
struct TermLayout {
  int lanes = 1;
  int Np{};
  /// Values of an auxiliary variable's block; with one lane rounded up to whole vectors of 16 bytes.
  int row{};

  /// One lane: [element][variable][node]. Several: [block][node][variable][lane], in the order of computation.
  [[nodiscard]] std::size_t offset(std::size_t block, int lane, int variable, int variables, int node) const {
    const int place = lanes == 1 ? variable * Np + node : (node * variables + variable) * lanes + lane;
    return block * static_cast<std::size_t>(row) + static_cast<std::size_t>(place);
  }
};

/// The layout of the auxiliary variables of a term, or of its profiles, if there are so many.
[[nodiscard]] TermLayout term_layout(int lanes, int Np, int variables, std::size_t real_bytes);

/// Some terms as the template value `terms` of term_of_stage.kernel. `print` prints expressions as code.
[[nodiscard]] rtcg::Value::List values_of(
    std::span<const TermOfStage> terms, int lanes, int Np, std::size_t real_bytes,
    const std::function<symbolic::PrintedCode(std::span<const symbolic::Expr>)>& print);

}  // namespace maxwell_dg::dg
