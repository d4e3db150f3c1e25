#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::symbolic {

/// A Program as lines of the kernel dialect.
struct PrintedCode {
  std::vector<std::string> lines;    ///< "const value v3 = ...;", each shared subexpression once
  std::vector<std::string> results;  ///< [output] an expression for its value
};

struct PrintOptions {
  Dtype dtype = Dtype::float64;  ///< of literals
  std::string type = "real";     ///< of the variables
  bool vectors = false;          ///< `type` is a SIMD vector: numbers that are arguments of functions need a cast
  std::string prefix = "v";      ///< of the variables' names
  std::function<std::string(const AnySymbol&)> name_of{};  ///< what the kernel calls each symbol
};

/// Subexpressions that are used once are printed in place, so that a compiler may contract a*b + c; others become
/// variables.
[[nodiscard]] PrintedCode print(const Program& program, const PrintOptions& options);

/// The expression in the syntax of configs, fully parenthesized: equal texts mean equal trees.
[[nodiscard]] std::string to_string(const Expr& expression);

/// Whether two expressions are the same tree (not only equal in value).
[[nodiscard]] inline bool are_same(const Expr& a, const Expr& b) {
  return to_string(a) == to_string(b);
}

}  // namespace maxwell_dg::dg::symbolic
