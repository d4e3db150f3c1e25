#include "dg/codegen/curved/lanes/jumps_at_face.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

#include "dg/mesh/mesh.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

namespace {

bool is_trace(const Symbol& s) {
  return s.kind == Symbol::Kind::field;
}

}  // namespace

std::vector<Expr> values_of_face(const CurvedSystem& system, int face) {
  std::vector<int> through;
  for (const CurvedSystem::Trace& trace : system.traces(face)) {
    if (trace.through) through.push_back(trace.number);
  }
  std::vector<Expr> values = system.lifting.values.at(index(face));
  for (Expr& e : values) {
    e = substitute(e, [&](const Symbol& s) {
      const bool turned =
          is_trace(s) && s.side == Side::outside && std::ranges::find(through, s.index) != through.end();
      return turned ? -Expr(s) : Expr(s);
    });
  }
  return values;
}

bool read_jumps_alone(const CurvedSystem& system) {
  std::vector<Expr> fluxes;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    for (const Expr& e : values_of_face(system, face)) fluxes.push_back(e);
  }
  const Program program(fluxes);
  const std::vector<AnySymbol> symbols = program.symbols();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(0.5, 1.5);
  const auto some = [&](std::size_t count) {
    std::vector<double> numbers(count);
    for (double& x : numbers) x = number(random);
    return numbers;
  };
  for (int trial = 0; trial < 4; ++trial) {
    const std::vector<double> values = some(symbols.size()), more = some(system.basis.stored.size());
    const auto value_of = [&](const AnySymbol& s) {
      return values[static_cast<std::size_t>(std::ranges::find(symbols, s) - symbols.begin())];
    };
    const auto of_lowering = [&](const LoweredSymbol& s) { return value_of(s); };
    std::vector<double> work(program.size()), before(fluxes.size()), after(fluxes.size());
    program.run({[&](const Symbol& s) { return value_of(s); }, of_lowering}, work, before);
    program.run(
        {[&](const Symbol& s) { return value_of(s) + (is_trace(s) ? more[index(s.index)] : 0.0); }, of_lowering}, work,
        after);
    for (std::size_t i = 0; i < fluxes.size(); ++i) {
      if (std::abs(after[i] - before[i]) > 1e-11 * (1 + std::abs(before[i]))) return false;
    }
  }
  return true;
}

}  // namespace maxwell_dg::dg
