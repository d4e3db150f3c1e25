#include "dg/lowering/hoister.hpp"

#include <algorithm>
#include <stdexcept>

#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

Expr Hoister::operator()(const Expr& e) {
  const std::vector<AnySymbol> symbols = Program({e}).symbols();
  if (symbols.empty()) return e;
  const auto* first = std::get_if<Symbol>(&symbols[0]);
  if (first == nullptr) throw std::logic_error("Hoister: an equation holds a symbol of the lowering");
  const bool of_parameters = std::ranges::all_of(symbols, [&](const AnySymbol& s) {
    const Symbol* parameter = of_kind(s, Symbol::Kind::parameter);
    return parameter != nullptr && (keeps_ == Keeps::both_sides || parameter->side == first->side);
  });
  if (of_parameters) {
    return Expr(LoweredSymbol{.kind = LoweredSymbol::Kind::element_constant,
                              .number = number(e),
                              .side = keeps_ == Keeps::one_side ? first->side : Side::inside});
  }
  if (e.op() == Op::symbol) return e;
  // Not as a list in braces: where a symbol is refused within it, GCC 12 destroys arguments that it has not made.
  std::vector<Expr> hoisted;
  for (const Expr& argument : e.arguments()) hoisted.push_back((*this)(argument));
  return combine(e.op(), hoisted);
}

int Hoister::number(const Expr& e) {
  const Expr kept = keeps_ == Keeps::both_sides ? e : substitute(e, [](Symbol s) {
    s.side = Side::inside;
    return Expr(s);
  });
  const auto [place, is_new] = numbers_.try_emplace(to_string(kept), static_cast<int>(constants_.size()));
  if (is_new) constants_.push_back(kept);
  return place->second;
}

}  // namespace maxwell_dg::dg
