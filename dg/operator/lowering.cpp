#include "dg/operator/lowering.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

namespace {

/// d field / d x_axis by the metric.
Expr expanded(int field, int axis) {
  Expr sum = 0.0;
  for (int d = 0; d < 3; ++d) {
    const Expr metric(Symbol{.kind = Kind::metric, .index = 3 * d + axis});
    sum = sum + metric * Expr(Symbol{.kind = Kind::reference_derivative, .index = field, .axis = d});
  }
  return sum;
}

Expr expand(const Symbol& s) {
  const int j = (s.axis + 1) % 3, k = (s.axis + 2) % 3;
  switch (s.kind) {
    case Kind::derivative: return expanded(s.index, s.axis);
    case Kind::curl: return expanded(s.index + k, j) - expanded(s.index + j, k);
    case Kind::divergence: return expanded(s.index, 0) + expanded(s.index + 1, 1) + expanded(s.index + 2, 2);
    default: return Expr(s);
  }
}

/// Replaces every largest subexpression of one element's parameters by a numbered element constant.
class Hoister {
 public:
  explicit Hoister(std::vector<Expr>& constants) : constants_(constants) {}

  Expr operator()(const Expr& e) {
    const Program program({e});
    const std::vector<Symbol> symbols = program.symbols();
    if (symbols.empty()) return e;
    const Side side = symbols[0].side;
    const bool of_one_element = std::all_of(
        symbols.begin(), symbols.end(), [&](const Symbol& s) { return s.kind == Kind::parameter && s.side == side; });
    if (of_one_element) return Expr(Symbol{.kind = Kind::parameter, .index = number(e), .side = side});
    if (e.op() == Op::symbol) return e;
    const std::vector<Expr>& a = e.arguments();
    return a.size() == 1 ? combine(e.op(), {(*this)(a[0])}) : combine(e.op(), {(*this)(a[0]), (*this)(a[1])});
  }

 private:
  int number(const Expr& e) {
    const Expr inside = substitute(e, [](Symbol s) {
      s.side = Side::inside;
      return Expr(s);
    });
    const auto [place, is_new] = numbers_.try_emplace(to_string(inside), static_cast<int>(constants_.size()));
    if (is_new) constants_.push_back(inside);
    return place->second;
  }

  std::vector<Expr>& constants_;
  std::map<std::string, int> numbers_;
};

std::vector<Symbol> symbols_of(std::span<const Expr> expressions) {
  return Program(expressions).symbols();
}

}  // namespace

LoweredSystem lower(const System& system) {
  LoweredSystem lowered;
  Hoister hoist(lowered.constants);
  for (const Expr& e : system.volume) {
    lowered.physical_volume.push_back(hoist(e));
    lowered.volume.push_back(substitute(lowered.physical_volume.back(), expand));
  }
  for (const Expr& e : system.flux) lowered.flux.push_back(hoist(e));
  for (const System::Boundary& boundary : system.boundaries) {
    auto& outside = lowered.outside.emplace_back();
    for (const Expr& e : boundary.outside) outside.push_back(hoist(e));
    for (const Symbol& s : symbols_of(outside)) {
      if (s.kind == Kind::coordinate || s.kind == Kind::time) lowered.boundaries_move = true;
    }
  }
  for (const System::Energy& energy : system.energies) {
    auto& weights = lowered.weights.emplace_back();
    for (const Expr& e : energy.weights) weights.push_back(hoist(e));
  }

  std::set<int> differentiated, outside_fields, outside_constants;
  for (const Symbol& s : symbols_of(lowered.volume)) {
    if (s.kind == Kind::reference_derivative) differentiated.insert(s.index);
  }
  for (const Symbol& s : symbols_of(lowered.flux)) {
    if (s.side == Side::outside) (s.kind == Kind::field ? outside_fields : outside_constants).insert(s.index);
  }
  lowered.differentiated.assign(differentiated.begin(), differentiated.end());
  lowered.outside_fields.assign(outside_fields.begin(), outside_fields.end());
  lowered.outside_constants.assign(outside_constants.begin(), outside_constants.end());
  lowered.constants_program = Program(lowered.constants);
  return lowered;
}

std::vector<double> LoweredSystem::constants_of(const std::vector<std::vector<double>>& parameters,
                                                std::size_t element) const {
  std::vector<double> work(constants_program.size()), values(constants.size());
  constants_program.run([&](const Symbol& s) { return parameters[static_cast<std::size_t>(s.index)][element]; }, work,
                        values);
  return values;
}

}  // namespace maxwell_dg::dg
