#include "dg/lowering/curved_system.hpp"

#include <optional>
#include <utility>

#include "core/error.hpp"
#include "dg/lowering/affine_map.hpp"

namespace maxwell_dg::dg {

using Variance = ElementBasis::Variance;

CurvedSystem CurvedSystem::of(const LoweredSystem& lowered, const std::string& name) {
  std::optional<ElementBasis> basis = element_basis(lowered);
  if (!basis) {
    throw ConfigError("curved elements: the equations of " + name +
                      " with these media are not curls, gradients or divergences times a number of the element (those "
                      "of tensors are not); use scalar media, or a mesh of straight elements");
  }
  CurvedSystem system{.basis = *std::move(basis), .contracted = {}, .lifting = {}, .sums = {}};
  system.contracted = contract(lowered, system.basis, {});
  system.lifting = lifting_in(system.basis, system.contracted);
  for (std::size_t f = 0; f < system.contracted.volume.size(); ++f) {
    system.sums.push_back(system.contracted.volume[f] + system.lifting.rhs[f]);
  }
  return system;
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
