#include "dg/lowering/invariant_hoister.hpp"

#include <algorithm>
#include <utility>

#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Lowered = LoweredSymbol::Kind;

InvariantHoister InvariantHoister::of_element(std::vector<Expr>& invariants, bool metric_is_at_hand) {
  return {[](const AnySymbol& s) {
            const LoweredSymbol* constant = of_kind(s, Lowered::element_constant);
            return of_kind(s, Lowered::metric) || (constant != nullptr && constant->side == Side::inside);
          },
          [=](const AnySymbol& s) { return metric_is_at_hand && of_kind(s, Lowered::metric); }, invariants};
}

InvariantHoister InvariantHoister::of_face(std::vector<Expr>& invariants) {
  const auto is_normal = [](const AnySymbol& s) { return of_kind(s, Symbol::Kind::normal) != nullptr; };
  return {[=](const AnySymbol& s) {
            return is_normal(s) || of_kind(s, Lowered::face_scale) || of_kind(s, Lowered::element_constant);
          },
          is_normal, invariants};
}

InvariantHoister::InvariantHoister(Is is_invariant, Is is_at_hand, std::vector<Expr>& invariants)
    : is_invariant_(std::move(is_invariant)), is_at_hand_(std::move(is_at_hand)), invariants_(invariants) {
  for (std::size_t i = 0; i < invariants.size(); ++i) {
    numbers_.emplace(to_string(invariants[i]), static_cast<int>(i));
  }
}

Expr InvariantHoister::operator()(const Expr& e) {
  if (e.op() == Op::constant) return e;
  if (e.op() == Op::symbol && is_at_hand_(e.symbol())) return e;
  if (invariant(e)) return number(e);
  if (e.op() == Op::symbol) return e;
  if (e.op() == Op::multiply || e.op() == Op::divide || e.op() == Op::negate) return product(e);
  std::vector<Expr> hoisted;
  for (const Expr& argument : e.arguments()) hoisted.push_back((*this)(argument));
  return combine(e.op(), hoisted);
}

bool InvariantHoister::invariant(const Expr& e) const {
  const std::vector<AnySymbol> symbols = Program({e}).symbols();
  return std::all_of(symbols.begin(), symbols.end(), is_invariant_);
}

void InvariantHoister::collect(const Expr& e, bool inverse, Factors& factors) {
  if (e.op() == Op::negate) {
    factors.negative = !factors.negative;
    collect(e.arguments()[0], inverse, factors);
  } else if (e.op() == Op::multiply || e.op() == Op::divide) {
    collect(e.arguments()[0], inverse, factors);
    collect(e.arguments()[1], e.op() == Op::divide ? !inverse : inverse, factors);
  } else if (invariant(e)) {
    factors.coefficient = inverse ? factors.coefficient / e : factors.coefficient * e;
  } else {
    Expr& target = inverse ? factors.divisor : factors.rest;
    target = target * (*this)(e);
  }
}

Expr InvariantHoister::product(const Expr& e) {
  Factors f;
  collect(e, false, f);
  const Expr value = (*this)(f.coefficient) * f.rest / f.divisor;
  return f.negative ? -value : value;
}

Expr InvariantHoister::number(const Expr& e) {
  const auto [place, is_new] = numbers_.try_emplace(to_string(e), static_cast<int>(invariants_.size()));
  if (is_new) invariants_.push_back(e);
  return Expr(LoweredSymbol{.kind = Lowered::invariant, .number = place->second});
}

}  // namespace maxwell_dg::dg
