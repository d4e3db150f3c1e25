#pragma once

#include <map>
#include <string>
#include <vector>

#include "dg/symbolic/expression.hpp"

namespace maxwell_dg::dg {

/// Finds the subexpressions that depend on parameters alone, so that the host can compute them once: replaces each of
/// them (the largest possible) by a numbered LoweredSymbol::Kind::element_constant, and appends it to `constants`.
class Hoister {
 public:
  enum class Keeps {
    one_side,   ///< a constant has parameters of one side: its symbol has that side, in `constants` all are inside
    both_sides  ///< a constant may have parameters of both sides: `constants` keep them, its symbol is inside
  };
  Hoister(std::vector<symbolic::Expr>& constants, Keeps keeps) : constants_(constants), keeps_(keeps) {}

  /// Throws std::logic_error for an expression that was lowered before.
  [[nodiscard]] symbolic::Expr operator()(const symbolic::Expr& e);

 private:
  int number(const symbolic::Expr& e);

  std::vector<symbolic::Expr>& constants_;
  Keeps keeps_;
  std::map<std::string, int> numbers_;
};

}  // namespace maxwell_dg::dg
