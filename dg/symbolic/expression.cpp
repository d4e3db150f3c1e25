#include "dg/symbolic/expression.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::symbolic {

struct Node {
  Op op{};
  double value{};
  AnySymbol symbol{};
  std::vector<Expr> arguments;
};

namespace {

bool all_constant(const std::vector<Expr>& arguments) {
  return std::all_of(arguments.begin(), arguments.end(), [](const Expr& a) { return a.op() == Op::constant; });
}

Expr fold(Op op, std::vector<Expr> arguments) {
  if (!all_constant(arguments)) return {op, std::move(arguments)};
  const double a = arguments[0].value();
  return apply_to_numbers(op, a, arguments.size() > 1 ? arguments[1].value() : 0.0);
}

}  // namespace

Expr::Expr(double value) : node_(std::make_shared<Node>(Node{.op = Op::constant, .value = value})) {}

Expr::Expr(const AnySymbol& symbol) : node_(std::make_shared<Node>(Node{.op = Op::symbol, .symbol = symbol})) {}

Expr::Expr(Op op, std::vector<Expr> arguments)
    : node_(std::make_shared<Node>(Node{.op = op, .arguments = std::move(arguments)})) {}

Op Expr::op() const {
  return node_->op;
}
double Expr::value() const {
  return node_->value;
}
const AnySymbol& Expr::symbol() const {
  return node_->symbol;
}
const std::vector<Expr>& Expr::arguments() const {
  return node_->arguments;
}
bool Expr::is_constant(double value) const {
  return op() == Op::constant && node_->value == value;
}

Expr operator+(const Expr& a, const Expr& b) {
  if (a.is_constant(0)) return b;
  if (b.is_constant(0)) return a;
  if (b.op() == Op::negate) return a - b.arguments()[0];
  if (a.op() == Op::negate) return b - a.arguments()[0];
  return fold(Op::add, {a, b});
}

Expr operator-(const Expr& a, const Expr& b) {
  if (b.is_constant(0)) return a;
  if (a.is_constant(0)) return -b;
  if (a.id() == b.id()) return 0.0;
  if (b.op() == Op::negate) return a + b.arguments()[0];
  return fold(Op::subtract, {a, b});
}

Expr operator*(const Expr& a, const Expr& b) {
  if (a.is_constant(0) || b.is_constant(0)) return 0.0;
  if (a.is_constant(1)) return b;
  if (b.is_constant(1)) return a;
  if (a.is_constant(-1)) return -b;
  if (b.is_constant(-1)) return -a;
  if (a.op() == Op::negate) return -(a.arguments()[0] * b);
  if (b.op() == Op::negate) return -(a * b.arguments()[0]);
  return fold(Op::multiply, {a, b});
}

Expr operator/(const Expr& a, const Expr& b) {
  if (b.is_constant(1)) return a;
  // 0 / b is kept unless b is a number: a division by zero must not be hidden.
  if (a.is_constant(0) && b.op() == Op::constant && b.value() != 0) return 0.0;
  return fold(Op::divide, {a, b});
}

Expr operator-(const Expr& a) {
  if (a.op() == Op::negate) return a.arguments()[0];
  return fold(Op::negate, {a});
}

Expr pow(const Expr& a, const Expr& b) {
  if (b.is_constant(1)) return a;
  if (b.is_constant(2)) return a * a;
  return fold(Op::pow, {a, b});
}

Expr min(const Expr& a, const Expr& b) {
  return fold(Op::min, {a, b});
}
Expr max(const Expr& a, const Expr& b) {
  return fold(Op::max, {a, b});
}
Expr atan2(const Expr& y, const Expr& x) {
  return fold(Op::atan2, {y, x});
}
Expr apply(Op function, const Expr& a) {
  return fold(function, {a});
}

Expr coordinate(int axis) {
  return Expr(Symbol{.kind = Symbol::Kind::coordinate, .axis = axis});
}
Expr time() {
  return Expr(Symbol{.kind = Symbol::Kind::time});
}

double evaluate(const Expr& expression, const std::array<double, 3>& x, double t) {
  const Program program({expression});
  double result = 0.0;
  std::vector<double> work(program.size());
  program.run(
      [&](const Symbol& symbol) {
        if (symbol.kind == Symbol::Kind::coordinate) return x.at(static_cast<std::size_t>(symbol.axis));
        if (symbol.kind == Symbol::Kind::time) return t;
        throw std::logic_error("evaluate: the expression holds a symbol other than coordinates and time");
      },
      work, {&result, 1});
  return result;
}

const std::vector<Function>& functions() {
  static const std::vector<Function> table{
      {"sin", Op::sin, 1},   {"cos", Op::cos, 1},     {"tan", Op::tan, 1},   {"asin", Op::asin, 1},
      {"acos", Op::acos, 1}, {"atan", Op::atan, 1},   {"sinh", Op::sinh, 1}, {"cosh", Op::cosh, 1},
      {"tanh", Op::tanh, 1}, {"exp", Op::exp, 1},     {"log", Op::log, 1},   {"sqrt", Op::sqrt, 1},
      {"abs", Op::abs, 1},   {"atan2", Op::atan2, 2}, {"min", Op::min, 2},   {"max", Op::max, 2},
      {"pow", Op::pow, 2},
  };
  return table;
}

}  // namespace maxwell_dg::dg::symbolic
