#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "dg/symbolic/expression.hpp"

namespace maxwell_dg::dg::symbolic {

/// Several expressions as one straight-line program: every subexpression that occurs more than once, in whatever
/// expression, is one instruction. The interpreter runs it, the kernel generator prints it line by line.
class Program {
 public:
  struct Instruction {
    Op op{};
    double value{};      ///< of a constant
    AnySymbol symbol{};  ///< of a symbol
    int a{-1}, b{-1};    ///< numbers of earlier instructions
  };

  explicit Program(std::span<const Expr> outputs);
  Program(std::initializer_list<Expr> outputs) : Program(std::span(outputs.begin(), outputs.size())) {}

  [[nodiscard]] const std::vector<Instruction>& instructions() const { return instructions_; }
  /// [output] the instruction that computes it.
  [[nodiscard]] const std::vector<int>& outputs() const { return outputs_; }
  [[nodiscard]] std::size_t size() const { return instructions_.size(); }
  /// The symbols that occur, each once, in the order of first use.
  [[nodiscard]] std::vector<AnySymbol> symbols() const;

  /// Computes the outputs of expressions of physics; `lookup` gives the symbols' values, `work` has room for size()
  /// numbers. Throws std::logic_error where an expression is lowered.
  void run(const std::function<double(const Symbol&)>& lookup, std::span<double> work, std::span<double> results) const;

  /// The same of lowered expressions, which hold symbols of both types; a type that does not occur needs no function.
  struct Lookup {
    std::function<double(const Symbol&)> symbol{};
    std::function<double(const LoweredSymbol&)> lowered{};
  };
  void run(const Lookup& lookup, std::span<double> work, std::span<double> results) const;

 private:
  std::vector<Instruction> instructions_;
  std::vector<int> outputs_;
};

/// One operation on numbers; b is ignored by functions of one argument.
[[nodiscard]] double apply_to_numbers(Op op, double a, double b);

/// The same operation on expressions, simplified as by the operators.
[[nodiscard]] Expr combine(Op op, const std::vector<Expr>& arguments);

/// The expression with every symbol of one type replaced by what `replacement` returns for it; those of the other type
/// stay.
[[nodiscard]] Expr substitute(const Expr& expression, const std::function<Expr(const Symbol&)>& replacement);
[[nodiscard]] Expr substitute(const Expr& expression, const std::function<Expr(const LoweredSymbol&)>& replacement);

}  // namespace maxwell_dg::dg::symbolic
