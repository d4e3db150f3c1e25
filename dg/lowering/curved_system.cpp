#include "dg/lowering/curved_system.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/symbolic/differentiate.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Variance = ElementBasis::Variance;

namespace {

Expr field(std::size_t f) {
  return Expr(Symbol{.kind = Symbol::Kind::field, .index = static_cast<int>(f)});
}

/// The transpose of a linear map, which has one expression a field.
std::vector<Expr> transposed(const std::vector<Expr>& map) {
  std::vector<Expr> result(map.size(), 0.0);
  for (std::size_t row = 0; row < map.size(); ++row) {
    for (std::size_t column = 0; column < map.size(); ++column) {
      const Symbol of_column{.kind = Symbol::Kind::field, .index = static_cast<int>(column)};
      result[column] = result[column] + differentiate(map[row], of_column) * field(row);
    }
  }
  return result;
}

std::vector<Expr> times(const Expr& factor, std::vector<Expr> map) {
  for (Expr& e : map) e = factor * e;
  return map;
}

/// The second map after the first.
std::vector<Expr> after(std::vector<Expr> second, const std::vector<Expr>& first) {
  for (Expr& e : second) {
    e = substitute(e, [&](const Symbol& s) { return first[static_cast<std::size_t>(s.index)]; });
  }
  return second;
}

}  // namespace

CurvedSystem CurvedSystem::of(const LoweredSystem& lowered, const std::string& name, Axes axes,
                              const MediaApart& apart) {
  std::optional<ElementBasis> basis = element_basis(lowered, Factors::tensors);
  if (!basis) {
    throw ConfigError("curved elements: the equations of " + name +
                      " are not curls, gradients or divergences times a number of the element or a tensor of the "
                      "energy; use a mesh of straight elements");
  }
  CurvedSystem system{.basis = *std::move(basis), .contracted = {}, .at_points = {}, .lifting = {}, .sums = {}};
  system.contracted = contract(lowered, system.basis, apart.computed_on_faces(), axes);
  system.at_points = order_invariants(system.contracted, lowered, apart);
  system.lifting = lifting_in(system.basis, system.contracted);
  for (std::size_t f = 0; f < system.contracted.volume.size(); ++f) {
    system.sums.push_back(system.contracted.volume[f] + system.lifting.rhs[f]);
  }
  system.to_sums = times(abs(jacobian()), transposed(system.basis.cartesian));
  std::vector<Expr> divided = transposed(system.basis.stored);
  if (std::ranges::any_of(lowered.energies, [](const System::Energy& e) { return !e.couplings.empty(); })) {
    system.tensors.emplace(lowered, system.basis);
    divided = system.tensors->divide(std::move(divided));
  }
  system.from_sums = times(1.0 / abs(jacobian()), after(system.basis.stored, divided));
  return system;
}

std::vector<int> CurvedSystem::whole_quantities(const std::vector<int>& of) const {
  std::vector<int> fields;
  for (const ElementBasis::Quantity& quantity : basis.quantities) {
    const int first = quantity.first, end = first + (quantity.variance == Variance::scalar ? 1 : 3);
    if (std::ranges::none_of(of, [&](int f) { return first <= f && f < end; })) continue;
    for (int f = first; f < end; ++f) fields.push_back(f);
  }
  return fields;
}

std::vector<CurvedSystem::Trace> CurvedSystem::traces(int face) const {
  const FaceFrame frame = frame_of_face(face);
  std::vector<Trace> traces;
  for (const auto& [variance, f] : basis.quantities) {
    if (variance == Variance::scalar) {
      traces.push_back({.number = f, .terms = {{.field = f}}});
    } else if (variance == Variance::covariant) {
      for (const auto& [number, axis] : {std::pair{f, frame.a}, std::pair{f + 1, frame.b}}) {
        Trace& along = traces.emplace_back(Trace{.number = number, .terms = {{.field = f + axis}}});
        if (frame.is_slanted) along.terms.push_back({.field = f + frame.c, .negative = true});
      }
    } else {
      Trace& through = traces.emplace_back(Trace{.number = f, .through = true, .terms = {}});
      if (frame.is_slanted) {
        for (int axis = 0; axis < 3; ++axis) through.terms.push_back({.field = f + axis});
      } else {
        through.terms.push_back({.field = f + frame.c, .negative = true});
      }
    }
  }
  return traces;
}

}  // namespace maxwell_dg::dg
