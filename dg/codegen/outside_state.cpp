#include "dg/codegen/outside_state.hpp"

#include <utility>

#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/symbolic/code_printer.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

namespace {

/// The text of a symbol in the function outside_state.
std::string argument_for(const AnySymbol& any) {
  if (const auto* constant = of_kind(any, LoweredSymbol::Kind::element_constant)) return at("c", constant->number);
  const auto& s = std::get<Symbol>(any);
  switch (s.kind) {
    case Symbol::Kind::field: return at("q", s.index);
    case Symbol::Kind::normal: return at("n", s.axis);
    case Symbol::Kind::coordinate: return at("x", s.axis);
    case Symbol::Kind::time: return "t";
    default: throw std::logic_error("an outside state holds a derivative");
  }
}

}  // namespace

rtcg::Record outside_state_values(const LoweredSystem& lowered, Dtype precision) {
  const bool is_wide = lowered.boundaries_vary;
  rtcg::Value::List conditions;
  for (const std::vector<Expr>& outside : lowered.outside) {
    std::vector<Expr> wanted;
    for (const int f : lowered.outside_fields) wanted.push_back(outside[static_cast<std::size_t>(f)]);
    const Program program(wanted);
    const PrintedCode code = print(program, {.dtype = is_wide ? Dtype::float64 : precision,
                                             .type = "boundary_real",
                                             .prefix = "b",
                                             .name_of = argument_for});
    conditions.emplace_back(rtcg::Record{{"lines", values_of(code.lines)}, {"results", values_of(code.results)}});
  }
  return {{"is_wide", is_wide}, {"conditions", std::move(conditions)}};
}

}  // namespace maxwell_dg::dg
