#include "dg/codegen/curved/lanes/jumps_at_face.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <type_traits>

#include "dg/mesh/mesh.hpp"
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
  std::vector<double> work(program.size()), before(fluxes.size()), after(fluxes.size());
  for (unsigned seed = 0; seed < 4; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(0.5, 1.5);
    std::vector<double> values;
    for (std::size_t i = 0; i < symbols.size(); ++i) values.push_back(number(random));
    const double more = number(random);
    const auto run = [&](std::vector<double>& results, const std::vector<double>& added) {
      const auto value_of = [&](const auto& s) {
        const auto at = std::ranges::find(symbols, AnySymbol(s));
        const double value = values[static_cast<std::size_t>(at - symbols.begin())];
        if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Symbol>) {
          return is_trace(s) ? value + added[static_cast<std::size_t>(s.index)] : value;
        } else {
          return value;
        }
      };
      program.run({[&](const Symbol& s) { return value_of(s); }, [&](const LoweredSymbol& s) { return value_of(s); }},
                  work, results);
    };
    constexpr std::size_t most_fields = 64;
    run(before, std::vector<double>(most_fields, 0.0));
    std::vector<double> added(most_fields);
    for (double& value : added) value = more + number(random);
    run(after, added);
    for (std::size_t i = 0; i < fluxes.size(); ++i) {
      if (std::abs(after[i] - before[i]) > 1e-11 * (1 + std::abs(before[i]))) return false;
    }
  }
  return true;
}

}  // namespace maxwell_dg::dg
