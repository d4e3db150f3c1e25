#include "dg/symbolic/differentiate.hpp"

#include <map>
#include <stdexcept>

namespace maxwell_dg::dg::symbolic {

namespace {

/// The sign of a number, -1, 0 or 1; values in between only if |a| < 1e-30.
Expr sign(const Expr& a) {
  return min(max(1e30 * a, -1.0), 1.0);
}

class Differentiation {
 public:
  explicit Differentiation(const Symbol& variable) : variable_(variable) {}

  Expr operator()(const Expr& e) {
    const auto found = known_.find(e.id());
    if (found != known_.end()) return found->second;
    return known_.emplace(e.id(), make(e)).first->second;
  }

 private:
  Expr make(const Expr& e) {
    if (e.op() == Op::constant) return 0.0;
    if (e.op() == Op::symbol) return e.symbol() == AnySymbol(variable_) ? 1.0 : 0.0;
    const std::vector<Expr>& arguments = e.arguments();
    const Expr& a = arguments[0];
    const Expr da = (*this)(a);
    if (arguments.size() == 1) return da.is_constant(0.0) ? Expr(0.0) : of_function(e, a) * da;
    const Expr& b = arguments[1];
    const Expr db = (*this)(b);
    switch (e.op()) {
      case Op::add: return da + db;
      case Op::subtract: return da - db;
      case Op::multiply: return da * b + a * db;
      case Op::divide: return da / b - a / (b * b) * db;
      case Op::pow: {
        const Expr by_base = b * pow(a, b - 1.0) * da;
        return db.is_constant(0.0) ? by_base : by_base + e * apply(Op::log, a) * db;
      }
      case Op::min: return 0.5 * (da + db - sign(a - b) * (da - db));
      case Op::max: return 0.5 * (da + db + sign(a - b) * (da - db));
      case Op::atan2: return (b * da - a * db) / (a * a + b * b);
      default: throw std::logic_error("differentiate: an operation without a rule");
    }
  }

  /// The derivative of a function of one argument.
  static Expr of_function(const Expr& e, const Expr& a) {
    switch (e.op()) {
      case Op::negate: return -1.0;
      case Op::sin: return cos(a);
      case Op::cos: return -sin(a);
      case Op::tan: return 1.0 + e * e;
      case Op::asin: return 1.0 / sqrt(1.0 - a * a);
      case Op::acos: return -1.0 / sqrt(1.0 - a * a);
      case Op::atan: return 1.0 / (1.0 + a * a);
      case Op::sinh: return apply(Op::cosh, a);
      case Op::cosh: return apply(Op::sinh, a);
      case Op::tanh: return 1.0 - e * e;
      case Op::exp: return e;
      case Op::log: return 1.0 / a;
      case Op::sqrt: return 0.5 / e;
      case Op::abs: return sign(a);
      default: throw std::logic_error("differentiate: a function without a rule");
    }
  }

  Symbol variable_;
  std::map<const Node*, Expr> known_;
};

}  // namespace

Expr differentiate(const Expr& expression, const Symbol& variable) {
  return Differentiation(variable)(expression);
}

Expr time_derivative(const Expr& expression) {
  return differentiate(expression, Symbol{.kind = Symbol::Kind::time});
}

Expr space_derivative(const Expr& expression, int axis) {
  return differentiate(expression, Symbol{.kind = Symbol::Kind::coordinate, .axis = axis});
}

}  // namespace maxwell_dg::dg::symbolic
