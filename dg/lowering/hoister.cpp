#include "dg/lowering/hoister.hpp"

#include <algorithm>

#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

Expr Hoister::operator()(const Expr& e) {
  const std::vector<Symbol> symbols = Program({e}).symbols();
  if (symbols.empty()) return e;
  const Side side = symbols[0].side;
  const bool of_parameters = std::ranges::all_of(symbols, [&](const Symbol& s) {
    return s.kind == Kind::parameter && (keeps_ == Keeps::both_sides || s.side == side);
  });
  if (of_parameters) {
    return Expr(
        Symbol{.kind = Kind::parameter, .index = number(e), .side = keeps_ == Keeps::one_side ? side : Side::inside});
  }
  if (e.op() == Op::symbol) return e;
  const std::vector<Expr>& a = e.arguments();
  return a.size() == 1 ? combine(e.op(), {(*this)(a[0])}) : combine(e.op(), {(*this)(a[0]), (*this)(a[1])});
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
