#include "dg/codegen/outside_state.hpp"

#include "dg/codegen/kernel_code.hpp"
#include "dg/symbolic/code_printer.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using namespace rtcg::syntax;

namespace {

/// Where the function finds a symbol's value.
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

Block condition(const std::vector<Expr>& wanted, Dtype precision) {
  const PrintedCode code =
      print(Program(wanted), {.dtype = precision, .type = "boundary_real", .prefix = "b", .name_of = argument_for});
  Block block;
  append(block, code.lines);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    block += Assign("q_p[" + std::to_string(i) + "]", code.results[i]);
  }
  return block;
}

}  // namespace

std::string outside_state_function(const LoweredSystem& lowered, Dtype precision) {
  const bool wide = lowered.boundaries_move;
  Block body;
  for (std::size_t b = 0; b < lowered.outside.size(); ++b) {
    std::vector<Expr> wanted;
    for (const int f : lowered.outside_fields) wanted.push_back(lowered.outside[b][static_cast<std::size_t>(f)]);
    body += If("kind == " + std::to_string(b), condition(wanted, wide ? Dtype::float64 : precision));
  }
  Block text;
  text += Line(std::string("typedef ") + (wide ? "float64" : "real") + " boundary_real;");
  text += Comment("The outside trace at one node of a boundary face, by the condition that holds there.");
  text += rtcg::syntax::Function(
      "DEVICE_FUNCTION void outside_state(const int32 kind, const boundary_real* q, const boundary_real* c,\n"
      "                                   const boundary_real* n, const boundary_real* x, const float64 t,\n"
      "                                   boundary_real* q_p)",
      body);
  return text_of(text);
}

}  // namespace maxwell_dg::dg
