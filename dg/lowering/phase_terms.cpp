#include "dg/lowering/phase_terms.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "dg/symbolic/fields.hpp"
#include "dg/symbolic/incident.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

std::vector<FaceTerm> phase_terms(const Discretization& discretization, const System& system,
                                  std::span<const PhasedFace> faces) {
  const ComplexView& view = discretization.complex_view;
  if (!view.is_complex()) throw std::invalid_argument("phase_terms: fields must be complex");
  const auto element_of = [&](std::int32_t k, FieldPart part) {
    return static_cast<std::int32_t>(view.element(static_cast<std::size_t>(k), part));
  };
  std::vector<PhasedFace> sorted(faces.begin(), faces.end());
  std::ranges::sort(sorted);

  std::vector<FaceTerm::Face> all, partners;
  std::vector<double> of_same_part, of_other_part;
  for (const auto& [part, other] :
       {std::pair(FieldPart::real, FieldPart::imaginary), std::pair(FieldPart::imaginary, FieldPart::real)}) {
    for (const auto& [face, phase] : sorted) {
      const std::int32_t partner =
          discretization.connectivity
              .neighbours[static_cast<std::size_t>(face.element)][static_cast<std::size_t>(face.face)];
      if (partner < 0) throw std::invalid_argument("phase_terms: a face was not joined");
      all.push_back({element_of(face.element, part), face.face});
      partners.push_back({element_of(partner / 4, other), partner % 4});
      of_same_part.push_back(std::cos(phase) - 1.0);
      of_other_part.push_back(part == FieldPart::imaginary ? std::sin(phase) : -std::sin(phase));
    }
  }
  const Expr share(Symbol{.kind = Symbol::Kind::parameter, .index = static_cast<int>(system.parameters.size())});
  std::vector<Expr> more;
  for (int f = 0; f < system.field_count(); ++f) more.push_back(share * outside(ScalarField{f}));
  FaceTerm same = outside_term(system, "phase", more, all), other = same;
  same.parameters = {std::move(of_same_part)};
  other.parameters = {std::move(of_other_part)};
  other.others = std::move(partners);
  return {std::move(same), std::move(other)};
}

}  // namespace maxwell_dg::dg
