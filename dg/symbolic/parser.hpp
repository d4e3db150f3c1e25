#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "dg/symbolic/expression.hpp"

namespace maxwell_dg::dg::symbolic {

/// Where and why a text is no expression. `column` counts from 1.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t column, const std::string& message) : std::runtime_error(message), column_(column) {}
  [[nodiscard]] std::size_t column() const { return column_; }

 private:
  std::size_t column_;
};

/// Numbers, names, `+ - * / ^` (right-associative power), unary minus, parentheses, `pi`, and `functions()`.
/// Names are looked up in `names` (coordinates, `t` where it makes sense, constants); an unknown one is an error that
/// suggests the nearest. No text ever reaches a compiler: only the tree does.
[[nodiscard]] Expr parse(std::string_view text, const std::map<std::string, Expr>& names);

}  // namespace maxwell_dg::dg::symbolic
