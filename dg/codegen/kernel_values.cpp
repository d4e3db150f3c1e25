#include "dg/codegen/kernel_values.hpp"

#include <algorithm>
#include <stdexcept>
#include <variant>

#include "dg/codegen/kernel_code.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

namespace {

std::string kind_of(const Symbol& s) {
  using Kind = Symbol::Kind;
  switch (s.kind) {
    case Kind::field: return "field";
    case Kind::normal: return "normal";
    case Kind::coordinate: return "coordinate";
    case Kind::time: return "time";
    case Kind::profile: return "profile";
    case Kind::parameter:
    case Kind::derivative:
    case Kind::curl:
    case Kind::divergence: break;
  }
  throw std::logic_error("kernel_values: parameters and derivatives must be lowered before code is made of them");
}

std::string kind_of(const LoweredSymbol& s) {
  using Kind = LoweredSymbol::Kind;
  switch (s.kind) {
    case Kind::element_constant: return "constant";
    case Kind::reference_derivative: return "derivative";
    case Kind::metric: return "metric";
    case Kind::face_scale: return "face_scale";
    case Kind::contraction: return "contraction";
    case Kind::invariant: return "invariant";
    case Kind::edges: return "edges";
  }
  throw std::logic_error("kernel_values: unknown kind of symbol");
}

int number_of(const Symbol& s) {
  const bool has_axis = s.kind == Symbol::Kind::normal || s.kind == Symbol::Kind::coordinate;
  return has_axis ? s.axis : s.index;
}
int number_of(const LoweredSymbol& s) {
  return s.number;
}

}  // namespace

rtcg::Value::List values_of(const std::vector<AnySymbol>& symbols) {
  rtcg::Value::List list;
  for (const AnySymbol& any : symbols) {
    list.emplace_back(std::visit(
        [&](const auto& s) {
          return rtcg::Record{{"kind", kind_of(s)},
                              {"name", name_in_kernel(any)},
                              {"number", number_of(s)},
                              {"side", s.side == Side::inside ? "inside" : "outside"}};
        },
        any));
  }
  return list;
}

rtcg::Record values_of(const Program& program, const PrintedCode& code) {
  return {{"symbols", values_of(program.symbols())},
          {"lines", values_of(code.lines)},
          {"results", values_of(code.results)}};
}

namespace {

std::vector<AnySymbol> sorted(std::vector<AnySymbol> symbols) {
  std::ranges::sort(symbols);
  return symbols;
}

}  // namespace

std::vector<AnySymbol> symbols_by_kind(std::span<const Expr> expressions) {
  return sorted(Program(expressions).symbols());
}

rtcg::Record values_by_kind(const Program& program, const PrintedCode& code) {
  return {{"symbols", values_of(sorted(program.symbols()))},
          {"lines", values_of(code.lines)},
          {"results", values_of(code.results)}};
}

rtcg::Value::List values_of(const std::vector<int>& numbers) {
  return {numbers.begin(), numbers.end()};
}

rtcg::Value::List values_of(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

rtcg::Value::List values_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

rtcg::Record values_of(const FieldOrder& order) {
  return {{"rows", order.rows()}, {"side_by_side", order.side_by_side}};
}

}  // namespace maxwell_dg::dg
