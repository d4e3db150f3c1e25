#include "dg/lowering/power_terms.hpp"

#include <algorithm>
#include <map>

#include "core/mpi/of_all.hpp"
#include "dg/lowering/varying_media.hpp"
#include "dg/symbolic/fields.hpp"
#include "dg/symbolic/program.hpp"
#include "dg/symbolic/vector.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

namespace {

std::vector<Expr> substituted(std::vector<Expr> expressions, const std::function<Expr(const Symbol&)>& replacement) {
  for (Expr& e : expressions) e = substitute(e, replacement);
  return expressions;
}

/// A_n q: the volume terms with the normal in place of the gradient, without terms that have no derivative.
std::vector<Expr> along_normal(const System& system) {
  const Vector n = normal();
  return substituted(system.volume, [&](const Symbol& s) -> Expr {
    const int j = (s.axis + 1) % 3, k = (s.axis + 2) % 3;
    switch (s.kind) {
      case Kind::field: return 0.0;
      case Kind::derivative: return n[s.axis] * inside(ScalarField{s.index});
      case Kind::curl: return n[j] * inside(ScalarField{s.index + k}) - n[k] * inside(ScalarField{s.index + j});
      case Kind::divergence:
        return n[0] * inside(ScalarField{s.index}) + n[1] * inside(ScalarField{s.index + 1}) +
               n[2] * inside(ScalarField{s.index + 2});
      default: return Expr(s);
    }
  });
}

/// The power at the faces of a boundary condition, or at inner faces if `condition` is null.
FaceTerm surface_power(const System& system, const System::Boundary* condition) {
  const std::vector<Expr> half = along_normal(system);
  std::vector<Expr> flux = system.flux;
  if (condition != nullptr) {
    flux = substituted(flux, [&](const Symbol& s) {
      const bool outside = s.kind == Kind::field && s.side == Side::outside;
      return outside ? condition->outside[static_cast<std::size_t>(s.index)] : Expr(s);
    });
  }
  for (std::size_t f = 0; f < flux.size(); ++f) flux[f] = flux[f] + 0.5 * half[f];
  return {.name = condition == nullptr ? "upwind" : condition->name,
          .flux = weighted_by_energies(system, flux),
          .faces = {}};
}

/// Adds the term of losses, in the elements where terms without derivatives (conductivity, say) are not zero; none if
/// there are no such elements. Where they are a term of the problem, that term has their power.
void add_losses(const Discretization& d, const Problem& problem, std::vector<ElementTerm>& terms) {
  const System& system = problem.system;
  if (system.relaxation_rate.is_constant(0.0)) return;
  ElementTerm losses{.name = losses_term, .added = weighted_by_energies(system, local_volume(system)), .elements = {}};
  const std::vector<double> rate = in_each_element(problem, system.relaxation_rate, d.own());
  for (std::size_t k = 0; k < d.own(); ++k) {
    if (rate[k] != 0 && !losses_are_a_term(problem, d, k)) losses.elements.push_back(static_cast<std::int32_t>(k));
  }
  if (!losses.elements.empty()) terms.push_back(std::move(losses));
}

/// The faces of each boundary condition, by its index; inner faces have the index -1.
std::map<int, std::vector<FaceTerm::Face>> faces_by_condition(const Discretization& d, const Problem& problem) {
  std::map<int, std::vector<FaceTerm::Face>> faces;
  for (std::size_t k = 0; k < d.own(); ++k) {
    for (std::int32_t face = 0; face < 4; ++face) {
      const std::int32_t neighbour = d.connectivity.neighbours[k][static_cast<std::size_t>(face)];
      const int condition = neighbour >= 0 ? -1 : problem.boundary[static_cast<std::size_t>(-1 - neighbour)];
      faces[condition].push_back({static_cast<std::int32_t>(k), face});
    }
  }
  return faces;
}

}  // namespace

PowerTerms power_terms(const Discretization& discretization, const Problem& problem) {
  const System& system = problem.system;
  PowerTerms terms{.on_elements = problem.element_terms, .on_faces = problem.face_terms};
  for (ElementTerm& term : terms.on_elements) term.added = weighted_by_energies(system, term.added);
  for (FaceTerm& term : terms.on_faces) term.flux = weighted_by_energies(system, term.flux);
  add_losses(discretization, problem, terms.on_elements);
  for (auto& [condition, faces] : faces_by_condition(discretization, problem)) {
    const System::Boundary* boundary =
        condition < 0 ? nullptr : &system.boundaries[static_cast<std::size_t>(condition)];
    FaceTerm& term = terms.on_faces.emplace_back(surface_power(system, boundary));
    term.faces = std::move(faces);
  }
  return terms;
}

std::vector<std::string> power_names(const Discretization& part, const Problem& problem,
                                     const core::Communicator& ranks) {
  const PowerTerms mine = power_terms(part, problem);
  const auto begin = mine.on_faces.begin() + static_cast<std::ptrdiff_t>(problem.face_terms.size());
  const auto has_faces_of = [&](const FaceTerm& term) {
    return core::on_any(
        ranks, std::any_of(begin, mine.on_faces.end(), [&](const FaceTerm& own) { return own.name == term.name; }));
  };
  PowerTerms all{.on_elements = problem.element_terms, .on_faces = problem.face_terms};
  for (int condition = -1; condition < static_cast<int>(problem.system.boundaries.size()); ++condition) {
    FaceTerm term = surface_power(
        problem.system, condition < 0 ? nullptr : &problem.system.boundaries[static_cast<std::size_t>(condition)]);
    if (has_faces_of(term)) all.on_faces.push_back(std::move(term));
  }
  if (core::on_any(ranks, mine.on_elements.size() > problem.element_terms.size())) {
    all.on_elements.push_back({.name = losses_term, .added = {}, .elements = {}});
  }
  return all.names();
}

std::vector<std::string> PowerTerms::names() const {
  std::vector<std::string> names;
  const auto add = [&](const auto& term) {
    if (std::ranges::find(names, term.name) == names.end()) names.push_back(term.name);
  };
  std::ranges::for_each(on_faces, add);
  std::ranges::for_each(on_elements, add);
  return names;
}

}  // namespace maxwell_dg::dg
