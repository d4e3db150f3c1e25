#include "dg/symbolic/program.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

namespace maxwell_dg::dg::symbolic {

namespace {

/// Numbers instructions: the same operation on the same operands gets the same number.
class Numbering {
 public:
  explicit Numbering(std::vector<Program::Instruction>& instructions) : instructions_(instructions) {}

  int number(const Expr& e) {
    if (const auto seen = by_node_.find(e.id()); seen != by_node_.end()) return seen->second;
    Program::Instruction instruction{.op = e.op()};
    if (e.op() == Op::constant) instruction.value = e.value();
    if (e.op() == Op::symbol) instruction.symbol = e.symbol();
    if (!e.arguments().empty()) instruction.a = number(e.arguments()[0]);
    if (e.arguments().size() > 1) instruction.b = number(e.arguments()[1]);
    const bool commutes = e.op() == Op::add || e.op() == Op::multiply;
    if (commutes && instruction.a > instruction.b) std::swap(instruction.a, instruction.b);
    const Key key{instruction.op, instruction.value, instruction.symbol, instruction.a, instruction.b};
    const auto [place, is_new] = by_content_.try_emplace(key, static_cast<int>(instructions_.size()));
    if (is_new) instructions_.push_back(instruction);
    return by_node_[e.id()] = place->second;
  }

 private:
  using Key = std::tuple<Op, double, AnySymbol, int, int>;
  std::vector<Program::Instruction>& instructions_;
  std::unordered_map<const Node*, int> by_node_;
  std::map<Key, int> by_content_;
};

}  // namespace

Program::Program(std::span<const Expr> outputs) {
  Numbering numbering(instructions_);
  for (const Expr& output : outputs) outputs_.push_back(numbering.number(output));
}

std::vector<AnySymbol> Program::symbols() const {
  std::vector<AnySymbol> found;
  for (const Instruction& i : instructions_) {
    if (i.op == Op::symbol) found.push_back(i.symbol);
  }
  return found;
}

namespace {

template <class ValueOf>
void run_program(const Program& program, const ValueOf& value_of, std::span<double> work, std::span<double> results) {
  for (std::size_t i = 0; i < program.instructions().size(); ++i) {
    const Program::Instruction& in = program.instructions()[i];
    switch (in.op) {
      case Op::constant: work[i] = in.value; break;
      case Op::symbol: work[i] = value_of(in.symbol); break;
      default:
        work[i] = apply_to_numbers(in.op, work[static_cast<std::size_t>(in.a)],
                                   in.b < 0 ? 0.0 : work[static_cast<std::size_t>(in.b)]);
    }
  }
  const std::vector<int>& outputs = program.outputs();
  for (std::size_t i = 0; i < outputs.size(); ++i) results[i] = work[static_cast<std::size_t>(outputs[i])];
}

}  // namespace

void Program::run(const std::function<double(const Symbol&)>& lookup, std::span<double> work,
                  std::span<double> results) const {
  const auto value_of = [&](const AnySymbol& s) {
    if (const auto* symbol = std::get_if<Symbol>(&s)) return lookup(*symbol);
    throw std::logic_error("Program::run: an expression of physics holds a symbol of the lowering");
  };
  run_program(*this, value_of, work, results);
}

void Program::run(const Lookup& lookup, std::span<double> work, std::span<double> results) const {
  const auto value_of = [&](const AnySymbol& s) {
    const auto* symbol = std::get_if<Symbol>(&s);
    return symbol != nullptr ? lookup.symbol(*symbol) : lookup.lowered(std::get<LoweredSymbol>(s));
  };
  run_program(*this, value_of, work, results);
}

double apply_to_numbers(Op op, double a, double b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::negate: return -a;
    case Op::pow: return std::pow(a, b);
    case Op::min: return std::fmin(a, b);
    case Op::max: return std::fmax(a, b);
    case Op::atan2: return std::atan2(a, b);
    case Op::sin: return std::sin(a);
    case Op::cos: return std::cos(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::exp: return std::exp(a);
    case Op::log: return std::log(a);
    case Op::sqrt: return std::sqrt(a);
    case Op::abs: return std::fabs(a);
    case Op::constant:
    case Op::symbol: break;
  }
  throw std::logic_error("apply_to_numbers: a leaf is no operation");
}

Expr combine(Op op, const std::vector<Expr>& arguments) {
  switch (op) {
    case Op::add: return arguments[0] + arguments[1];
    case Op::subtract: return arguments[0] - arguments[1];
    case Op::multiply: return arguments[0] * arguments[1];
    case Op::divide: return arguments[0] / arguments[1];
    case Op::negate: return -arguments[0];
    case Op::pow: return pow(arguments[0], arguments[1]);
    case Op::min: return min(arguments[0], arguments[1]);
    case Op::max: return max(arguments[0], arguments[1]);
    case Op::atan2: return atan2(arguments[0], arguments[1]);
    default: return apply(op, arguments[0]);
  }
}

namespace {

template <class Type>
Expr substitute_shared(const Expr& e, const std::function<Expr(const Type&)>& replacement,
                       std::unordered_map<const Node*, Expr>& done) {
  if (e.op() == Op::constant) return e;
  if (e.op() == Op::symbol) {
    const auto* symbol = std::get_if<Type>(&e.symbol());
    return symbol != nullptr ? replacement(*symbol) : e;
  }
  if (const auto seen = done.find(e.id()); seen != done.end()) return seen->second;
  std::vector<Expr> arguments;
  for (const Expr& a : e.arguments()) arguments.push_back(substitute_shared(a, replacement, done));
  return done.emplace(e.id(), combine(e.op(), arguments)).first->second;
}

}  // namespace

Expr substitute(const Expr& expression, const std::function<Expr(const Symbol&)>& replacement) {
  std::unordered_map<const Node*, Expr> done;
  return substitute_shared(expression, replacement, done);
}

Expr substitute(const Expr& expression, const std::function<Expr(const LoweredSymbol&)>& replacement) {
  std::unordered_map<const Node*, Expr> done;
  return substitute_shared(expression, replacement, done);
}

}  // namespace maxwell_dg::dg::symbolic
