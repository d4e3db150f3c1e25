#include "dg/codegen/kernel_code.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;

namespace {

constexpr std::array axes{"x", "y", "z"}, reference_axes{"r", "s", "t"};

std::string side_in_kernel(symbolic::Side side) {
  return side == symbolic::Side::outside ? "_p" : "_m";
}

std::string symbol_in_kernel(const Symbol& s) {
  const auto axis = static_cast<std::size_t>(s.axis);
  switch (s.kind) {
    case Kind::field: return "q" + number(s.index) + side_in_kernel(s.side);
    case Kind::normal: return std::string("n") + axes.at(axis);
    case Kind::coordinate: return axes.at(axis);
    case Kind::time: return "t";
    case Kind::profile: return "p" + number(s.index);
    case Kind::parameter:
    case Kind::derivative:
    case Kind::curl:
    case Kind::divergence: break;
  }
  throw std::logic_error("name_in_kernel: parameters and derivatives must be lowered before code is made of them");
}

std::string symbol_in_kernel(const LoweredSymbol& s) {
  const auto i = static_cast<std::size_t>(s.number);
  switch (s.kind) {
    case Lowered::element_constant: return "c" + number(i) + side_in_kernel(s.side);
    case Lowered::reference_derivative:
      return std::string("d") + reference_axes.at(static_cast<std::size_t>(s.axis)) + number(s.field);
    case Lowered::metric:
      if (i < 9) return std::string(reference_axes.at(i / 3)) + axes.at(i % 3);
      return std::string(axes.at(i % 3)) + "_" + reference_axes.at(i / 3 - 3);
    case Lowered::face_scale: return "Fscale";
    case Lowered::contraction: return "w" + number(i);
    case Lowered::invariant: return "h" + number(i);
    case Lowered::edges: return std::array{"tau_11", "tau_12", "tau_22", "orientation"}.at(i);
  }
  throw std::logic_error("name_in_kernel: unknown kind of symbol");
}

template <class Type>
std::set<Type> symbols_of_kind(std::span<const Expr> expressions, typename Type::Kind kind) {
  std::set<Type> found;
  for (const AnySymbol& any : Program(expressions).symbols()) {
    if (const Type* s = of_kind(any, kind)) found.insert(*s);
  }
  return found;
}

}  // namespace

std::string name_in_kernel(const AnySymbol& symbol) {
  return std::visit([](const auto& s) { return symbol_in_kernel(s); }, symbol);
}

std::string field_stride(const StateLayout& layout) {
  return layout.block_elements > 1 ? "FIELD_STRIDE" : "NP";
}

std::set<Symbol> symbols_of(std::span<const Expr> expressions, Kind kind) {
  return symbols_of_kind<Symbol>(expressions, kind);
}

std::set<LoweredSymbol> symbols_of(std::span<const Expr> expressions, Lowered kind) {
  return symbols_of_kind<LoweredSymbol>(expressions, kind);
}

PrintedCode print_reals(const Program& program, Dtype precision, std::function<std::string(const AnySymbol&)> name_of) {
  return symbolic::print(
      program,
      {.dtype = precision, .type = "real", .prefix = "v", .name_of = name_of ? std::move(name_of) : name_in_kernel});
}

}  // namespace maxwell_dg::dg
