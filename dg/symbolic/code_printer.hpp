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
  bool vectors = false;          ///< that type is a SIMD vector: numbers given to functions need a cast
  std::string prefix = "v";      ///< of their names
  std::function<std::string(const AnySymbol&)> name_of{};  ///< what the kernel calls each symbol
};

/// Subexpressions used once are printed in place (so that a compiler may contract a*b + c), shared ones get a name.
[[nodiscard]] PrintedCode print(const Program& program, const PrintOptions& options);

/// The expression in the syntax of configs, fully parenthesized: equal texts mean equal trees.
[[nodiscard]] std::string to_string(const Expr& expression);

/// Whether two expressions are written alike.
[[nodiscard]] inline bool are_same(const Expr& a, const Expr& b) {
  return to_string(a) == to_string(b);
}

}  // namespace maxwell_dg::dg::symbolic
