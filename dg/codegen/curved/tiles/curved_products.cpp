#include "dg/codegen/curved/tiles/curved_products.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "dg/codegen/kernel_code.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;

namespace {

/// The coefficient of a contraction in a linear expression, if it is a number.
std::optional<double> coefficient(const Expr& linear, int number) {
  const Expr at_one = substitute(linear, [&](const LoweredSymbol& s) {
    if (s.kind != Lowered::contraction) return Expr(AnySymbol(s));
    return Expr(s.number == number ? 1.0 : 0.0);
  });
  if (at_one.op() != Op::constant) return std::nullopt;
  return at_one.value();
}

/// Whether values of traces are zero where both sides have the same, with some numbers for all symbols. Traces through
/// the face point out of either element.
bool are_of_jumps(const std::vector<Expr>& values, const std::vector<CurvedSystem::Trace>& traces) {
  const Program program(values);
  std::vector<double> work(program.size()), results(values.size());
  const auto number = [](int kind, int i) { return 0.5 + std::abs(std::sin(1.7 * kind + 3.1 * i + 1)); };
  const auto of_symbol = [&](const Symbol& s) {
    const double value = number(static_cast<int>(s.kind), s.index + s.axis);
    const bool turns = std::ranges::any_of(
        traces, [&](const CurvedSystem::Trace& trace) { return trace.through && trace.number == s.index; });
    return turns && s.side == Side::outside ? -value : value;
  };
  program.run({.symbol = of_symbol,
               .lowered = [&](const LoweredSymbol& s) { return number(static_cast<int>(s.kind) + 50, s.number); }},
              work, results);
  return std::ranges::all_of(results, [](double value) { return std::abs(value) < 1e-12; });
}

/// With jumps, inside minus outside, in place of inside traces.
Expr of_jumps(const Expr& flux) {
  return substitute(flux, [](const Symbol& s) {
    return s.kind == Kind::field && s.side == Side::outside ? Expr(0.0) : Expr(AnySymbol(s));
  });
}

/// Which contractions, or lifted sums, a part's fields have, and with which sign.
using SumsOf = std::map<int, std::vector<std::pair<int, bool>>>;

void add_operands(CurvedProducts::Part& part, const SumsOf& sums_of, const ContractedSystem& contracted) {
  for (std::size_t g = 0; g < contracted.operands.size(); ++g) {
    const SignedField field = as_field(contracted.operands[g]).value();
    CurvedProducts::Operand operand{.field = field.index, .negative = field.is_negative, .terms = {}};
    for (const auto& [number, sums] : sums_of) {
      if (static_cast<std::size_t>(number) >= contracted.contractions.size()) continue;
      for (const Contraction::Term& term : contracted.contractions[static_cast<std::size_t>(number)].terms) {
        if (term.operand != static_cast<int>(g)) continue;
        for (const auto& [sum, negative] : sums) operand.terms.push_back({term.axis, sum, term.negative != negative});
      }
    }
    if (!operand.terms.empty()) part.operands.push_back(std::move(operand));
  }
}

void add_fluxes(CurvedProducts::Part& part, const SumsOf& sums_of, const CurvedSystem& system) {
  for (int face = 0; face < 4; ++face) {
    const auto f = static_cast<std::size_t>(face);
    for (int value = 0; value < static_cast<int>(system.lifting.values.at(f).size()); ++value) {
      CurvedProducts::Flux flux{.number = value, .terms = {}};
      for (const auto& [number, sums] : sums_of) {
        const auto lifted = static_cast<std::size_t>(number) - system.contracted.contractions.size();
        if (static_cast<std::size_t>(number) < system.contracted.contractions.size()) continue;
        for (const Lifting::Term& term : system.lifting.sums[lifted]) {
          if (term.face != face || term.value != value) continue;
          for (const auto& [sum, negative] : sums) flux.terms.push_back({0, sum, term.negative != negative});
        }
      }
      if (!flux.terms.empty()) part.fluxes.at(f).push_back(std::move(flux));
    }
  }
}

}  // namespace

CurvedProducts CurvedProducts::of(const CurvedSystem& system) {
  CurvedProducts products;
  const ContractedSystem& contracted = system.contracted;
  if (!std::ranges::all_of(contracted.operands, [](const Expr& e) { return as_field(e).has_value(); })) {
    products.why_not = "derivatives are not of fields alone";
    return products;
  }
  for (std::size_t face = 0; face < 4; ++face) {
    const std::vector<Expr>& values = system.lifting.values.at(face);
    if (!are_of_jumps(values, system.traces(static_cast<int>(face)))) {
      products.why_not = "fluxes are not of jumps alone";
      return products;
    }
    for (const Expr& value : values) products.fluxes.at(face).push_back(of_jumps(value));
  }
  for (const Expr& equation : contracted.equations) products.losses.push_back(without_contractions(equation));
  for (const std::vector<int>& fields : parts_of(contracted.equations)) {
    Part& part = products.parts.emplace_back(Part{.fields = fields, .negative = {}, .operands = {}, .equations = {}});
    SumsOf sums_of;
    for (std::size_t l = 0; l < fields.size(); ++l) {
      const auto f = static_cast<std::size_t>(fields[l]);
      part.equations.push_back(without_fields(contracted.equations[f]));
      const Expr& sum = system.sums[f];
      part.negative.push_back(false);
      bool is_first = true;
      for (const LoweredSymbol& s : symbols_of(std::span(&sum, 1), Lowered::contraction)) {
        const std::optional<double> factor = coefficient(sum, s.number);
        if (!factor || std::abs(*factor) != 1) {
          products.why_not = "sums are not of derivatives and fluxes alone";
          return products;
        }
        if (is_first) part.negative[l] = *factor < 0;
        is_first = false;
        sums_of[s.number].emplace_back(static_cast<int>(l), (*factor < 0) != part.negative[l]);
      }
    }
    add_operands(part, sums_of, contracted);
    add_fluxes(part, sums_of, system);
  }
  return products;
}

}  // namespace maxwell_dg::dg
