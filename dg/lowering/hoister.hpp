#pragma once

#include <map>
#include <string>
#include <vector>

#include "dg/symbolic/expression.hpp"

namespace maxwell_dg::dg {

/// Takes out of expressions what depends on parameters alone, to be computed once on the host: replaces every largest
/// such subexpression by a numbered LoweredSymbol::Kind::element_constant and appends it to `constants`.
class Hoister {
 public:
  enum class Keeps {
    one_side,   ///< a constant is of one element: it keeps its side in the expression, and is inside in `constants`
    both_sides  ///< a constant is of a pair of elements; it is inside in the expression
  };
  Hoister(std::vector<symbolic::Expr>& constants, Keeps keeps) : constants_(constants), keeps_(keeps) {}

  /// Throws std::logic_error where an expression was lowered before.
  [[nodiscard]] symbolic::Expr operator()(const symbolic::Expr& e);

 private:
  int number(const symbolic::Expr& e);

  std::vector<symbolic::Expr>& constants_;
  Keeps keeps_;
  std::map<std::string, int> numbers_;
};

}  // namespace maxwell_dg::dg
