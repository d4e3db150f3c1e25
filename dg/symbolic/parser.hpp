#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "dg/symbolic/expression.hpp"

namespace maxwell_dg::dg::symbolic {

/// A text is no expression: why, and in which column (counted from 1).
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t column, const std::string& message) : std::runtime_error(message), column_(column) {}
  [[nodiscard]] std::size_t column() const { return column_; }

 private:
  std::size_t column_;
};

/// The expression that a text describes: numbers, names, `+ - * / ^` (right-associative power), unary minus,
/// parentheses, `pi`, and `functions()`. Names are looked up in `names` (coordinates, `t` where it makes sense,
/// constants). Throws ExpressionError; for an unknown name, it suggests the most similar one. No text of a config
/// reaches a compiler, only code that is printed from the tree.
[[nodiscard]] Expr parse(std::string_view text, const std::map<std::string, Expr>& names);

}  // namespace maxwell_dg::dg::symbolic
