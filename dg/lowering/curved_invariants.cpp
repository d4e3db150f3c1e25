#include "dg/lowering/curved_invariants.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <stdexcept>
#include <variant>

#include "core/in_parallel.hpp"
#include "core/round_up.hpp"
#include "dg/lowering/affine_map.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Lowered = LoweredSymbol::Kind;

namespace {

double no_value() {
  throw std::logic_error("an invariant of curved elements holds a symbol that has no value there");
}

/// Evaluates programs of the metric, the normal and constants; one thread at a time.
class Evaluator {
 public:
  explicit Evaluator(const std::vector<Expr>& invariants) : program_(invariants), work_(program_.size()) {}

  void at(const CurvedGeometry::Gradients& gradients, const Geometry::Face& face, std::span<const double> own,
          std::span<const double> other, std::vector<double>& values) {
    const auto metric = metric_values(gradients);
    const std::array<double, 3> n{face.nx, face.ny, face.nz};
    const auto of_normal = [&](const Symbol& s) {
      return s.kind == Symbol::Kind::normal ? n.at(index(s.axis)) : no_value();
    };
    const auto of_lowering = [&](const LoweredSymbol& s) {
      switch (s.kind) {
        case Lowered::metric: return metric.at(index(s.number));
        case Lowered::face_scale: return face.Fscale;
        case Lowered::element_constant: return (s.side == Side::inside ? own : other)[index(s.number)];
        default: return no_value();
      }
    };
    values.resize(program_.outputs().size());
    program_.run({of_normal, of_lowering}, work_, values);
  }

 private:
  Program program_;
  std::vector<double> work_;
};

std::set<int> invariants_in(const std::vector<Expr>& expressions) {
  std::set<int> numbers;
  for (const AnySymbol& s : Program(expressions).symbols()) {
    const auto* const lowered = std::get_if<LoweredSymbol>(&s);
    if (lowered != nullptr && lowered->kind == Lowered::invariant) numbers.insert(lowered->number);
  }
  return numbers;
}

/// The invariants of losses: those that fields are multiplied with. Where media vary, losses are a term.
std::set<int> loss_invariants(const ContractedSystem& system) {
  std::vector<Expr> losses, others;
  for (const Expr& equation : system.equations) {
    losses.push_back(without_contractions(equation));
    others.push_back(without_fields(equation));
  }
  const std::set<int> of_losses = invariants_in(losses), of_others = invariants_in(others);
  if (std::ranges::any_of(of_losses, [&](int number) { return of_others.contains(number); })) {
    throw std::logic_error("an invariant is of losses and of derivatives alike");
  }
  return of_losses;
}

}  // namespace

CurvedInvariants::CurvedInvariants(const Discretization& discretization, const CurvedSystem& system,
                                   const VaryingMedia& media) {
  const std::set<int> of_losses = media.any() ? loss_invariants(system.contracted) : std::set<int>();
  const CurvedGeometry& geometry = discretization.curved.value();
  std::vector<std::size_t> elements;
  for (std::size_t k = 0; k < discretization.K(); ++k) {
    if (discretization.mesh.curved.is_curved(k)) elements.push_back(k);
  }
  const std::size_t points = geometry.quadrature.volume.size();
  const std::size_t face_points = index(geometry.quadrature.face_points());
  of_elements_.resize(elements.size() * points);
  of_faces_.resize(elements.size() * ReferenceElement::Nfaces * face_points);
  constexpr std::size_t at_once = 64;
  for_each_in_parallel(ceil_divide(elements.size(), at_once), [&](std::size_t part) {
    Evaluator in_element(system.contracted.element_invariants), on_face(system.contracted.face_invariants);
    for (std::size_t i = part * at_once; i < std::min(elements.size(), (part + 1) * at_once); ++i) {
      const std::size_t k = elements[i];
      const std::span<const double> own = media.of_element(k);
      const bool varies = media.varies_in(k);
      for (std::size_t p = i * points; p < (i + 1) * points; ++p) {
        const std::span<const double> here = varies ? media.at_point(k, p - i * points) : own;
        in_element.at(geometry.at_volume_points[p], {}, here, here, of_elements_[p]);
        for (auto loss = of_losses.begin(); varies && loss != of_losses.end(); ++loss)
          of_elements_[p][index(*loss)] = 0;
      }
      for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
        const std::int32_t neighbour = discretization.connectivity.neighbours[k][index(face)];
        const std::span<const double> other = neighbour < 0 ? own : media.of_element(index(neighbour / 4));
        const std::size_t first = (i * ReferenceElement::Nfaces + index(face)) * face_points;
        for (std::size_t p = first; p < first + face_points; ++p) {
          const CurvedGeometry::FacePoint& point = geometry.at_face_points[p];
          on_face.at(in_frame_of_face(point.gradients, face), point.face, own, other, of_faces_[p]);
        }
      }
    }
  });
}

}  // namespace maxwell_dg::dg
