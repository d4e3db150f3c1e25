#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "dg/symbolic/expression.hpp"

namespace maxwell_dg::dg::symbolic {

/// Several expressions as one straight-line program: a subexpression that occurs several times, in one expression or in
/// several, is one instruction. `run` interprets a program, and `print` (code_printer.hpp) makes code of it.
class Program {
 public:
  struct Instruction {
    Op op{};
    double value{};      ///< if `op` is a constant
    AnySymbol symbol{};  ///< if `op` is a symbol
    int a{-1}, b{-1};    ///< the arguments: numbers of earlier instructions, -1 for none
  };

  explicit Program(std::span<const Expr> outputs);
  Program(std::initializer_list<Expr> outputs) : Program(std::span(outputs.begin(), outputs.size())) {}

  [[nodiscard]] const std::vector<Instruction>& instructions() const { return instructions_; }
  /// [output] the number of the instruction that computes it.
  [[nodiscard]] const std::vector<int>& outputs() const { return outputs_; }
  [[nodiscard]] std::size_t size() const { return instructions_.size(); }
  /// The symbols that occur, each once, in the order of first use.
  [[nodiscard]] std::vector<AnySymbol> symbols() const;

  /// Computes the outputs. `lookup` returns the values of symbols; `work` has room for size() numbers. Throws
  /// std::logic_error if an expression has lowered symbols.
  void run(const std::function<double(const Symbol&)>& lookup, std::span<double> work, std::span<double> results) const;

  /// The same for lowered expressions, which have symbols of both types; a type that does not occur needs no function.
  struct Lookup {
    std::function<double(const Symbol&)> symbol{};
    std::function<double(const LoweredSymbol&)> lowered{};
  };
  void run(const Lookup& lookup, std::span<double> work, std::span<double> results) const;

 private:
  std::vector<Instruction> instructions_;
  std::vector<int> outputs_;
};

/// The result of an operation on numbers; functions of one argument ignore b.
[[nodiscard]] double apply_to_numbers(Op op, double a, double b);

/// The same operation on expressions, with the simplifications of Expr's operators.
[[nodiscard]] Expr combine(Op op, const std::vector<Expr>& arguments);

/// The expression in which every symbol of one type is replaced by what `replacement` returns for it; symbols of the
/// other type stay.
[[nodiscard]] Expr substitute(const Expr& expression, const std::function<Expr(const Symbol&)>& replacement);
[[nodiscard]] Expr substitute(const Expr& expression, const std::function<Expr(const LoweredSymbol&)>& replacement);

}  // namespace maxwell_dg::dg::symbolic
