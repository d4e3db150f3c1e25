#include "dg/lowering/lowering.hpp"

#include <set>

#include "dg/lowering/affine_map.hpp"
#include "dg/lowering/hoister.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;

namespace {

/// d field / d x_axis by the chain rule: sum over r, s, t of dr/dx_axis d field / dr.
Expr expanded(int field, int axis) {
  Expr sum = 0.0;
  for (int d = 0; d < 3; ++d) {
    const LoweredSymbol derivative{.kind = Lowered::reference_derivative, .field = field, .axis = d};
    sum = sum + gradient_of(d)[axis] * Expr(derivative);
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

std::vector<AnySymbol> symbols_of(std::span<const Expr> expressions) {
  return Program(expressions).symbols();
}

}  // namespace

LoweredSystem lower(const System& system) {
  LoweredSystem lowered;
  Hoister hoist(lowered.constants, Hoister::Keeps::one_side);
  for (const Expr& e : system.volume) {
    lowered.physical_volume.push_back(hoist(e));
    lowered.volume.push_back(substitute(lowered.physical_volume.back(), expand));
  }
  for (const Expr& e : system.flux) lowered.flux.push_back(hoist(e));
  for (const System::Boundary& boundary : system.boundaries) {
    auto& outside = lowered.outside.emplace_back();
    for (const Expr& e : boundary.outside) outside.push_back(hoist(e));
    for (const AnySymbol& s : symbols_of(outside)) {
      if (of_kind(s, Kind::coordinate) || of_kind(s, Kind::time)) lowered.boundaries_vary = true;
    }
  }
  for (const System::Energy& energy : system.energies) {
    auto& [name, weights, couplings] = lowered.energies.emplace_back(energy);
    for (Expr& weight : weights) weight = hoist(weight);
    for (auto& coupling : couplings) coupling.weight = hoist(coupling.weight);
  }

  std::set<int> differentiated, outside_fields;
  for (const AnySymbol& s : symbols_of(lowered.volume)) {
    if (const auto* d = of_kind(s, Lowered::reference_derivative)) differentiated.insert(d->field);
  }
  for (const AnySymbol& s : symbols_of(lowered.flux)) {
    const Symbol* trace = of_kind(s, Kind::field);
    if (trace != nullptr && trace->side == Side::outside) outside_fields.insert(trace->index);
  }
  lowered.differentiated.assign(differentiated.begin(), differentiated.end());
  lowered.outside_fields.assign(outside_fields.begin(), outside_fields.end());
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
