#include "dg/lowering/lowered_term.hpp"

#include <algorithm>
#include <stdexcept>

#include "dg/lowering/hoister.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

namespace {

LoweredTerm lower(const System& system, const std::string& name, const std::vector<Expr>& added,
                  const std::vector<std::string>& auxiliary, const std::vector<Expr>& rates) {
  if (static_cast<int>(added.size()) != system.field_count()) {
    throw std::invalid_argument("term " + name + ": one expression a field of the system is needed");
  }
  if (rates.size() != auxiliary.size()) {
    throw std::invalid_argument("term " + name + ": one rate for each auxiliary variable is needed");
  }
  LoweredTerm lowered;
  Hoister hoist(lowered.constants, Hoister::Keeps::both_sides);
  for (std::size_t f = 0; f < added.size(); ++f) {
    if (added[f].is_constant(0.0)) continue;
    lowered.fields.push_back(static_cast<int>(f));
    lowered.added.push_back(hoist(added[f]));
  }
  for (const Expr& rate : rates) lowered.rates.push_back(hoist(rate));
  for (const AnySymbol& s : Program(lowered.outputs()).symbols()) {
    lowered.depends_on_time |= of_kind(s, Kind::time) != nullptr;
    lowered.depends_on_position |= of_kind(s, Kind::coordinate) != nullptr;
  }
  return lowered;
}

/// The constants of a term whose own parameters, [parameter][element or face], follow those of the system.
class ConstantsOfTerm {
 public:
  template <class Term>
  ConstantsOfTerm(const std::vector<Expr>& constants, const Problem& problem, const Term& term)
      : program_(constants), work_(program_.size()), shared_(problem.parameters.size()), own_(term.parameters) {}

  /// In its element or at its face number i, where `shared(side, index)` is a parameter of the system.
  template <class Shared>
  std::vector<double> at(std::size_t i, const Shared& shared) {
    std::vector<double> values(program_.outputs().size());
    const auto parameter = [&](const Symbol& s) {
      const std::size_t p = index(s.index);
      return p < shared_ ? shared(s.side, p) : own_[p - shared_][i];
    };
    program_.run(parameter, work_, values);
    return values;
  }

 private:
  Program program_;
  std::vector<double> work_;
  std::size_t shared_;
  const std::vector<std::vector<double>>& own_;
};

void check_sizes(const std::string& name, const std::vector<std::vector<double>>& lists, std::size_t size) {
  if (std::ranges::any_of(lists, [&](const auto& list) { return list.size() != size; })) {
    throw std::invalid_argument("term " + name + ": parameters and profiles need a number for each of their places");
  }
}

}  // namespace

std::vector<Expr> LoweredTerm::outputs() const {
  std::vector<Expr> all = added;
  all.insert(all.end(), rates.begin(), rates.end());
  return all;
}

LoweredTerm lower(const System& system, const ElementTerm& term) {
  return lower(system, term.name, term.added, term.auxiliary, term.rates);
}

LoweredTerm lower(const System& system, const FaceTerm& term) {
  return lower(system, term.name, term.flux, term.auxiliary, term.rates);
}

LoweredTerm lower_for_curved(const System& system, const ElementTerm& term) {
  if (!system.has_tensors()) return lower(system, term);
  ElementTerm weighted = term;
  weighted.added = weighted_by_energies(system, term.added);
  return lower(system, weighted);
}

LoweredTerm lower_for_curved(const System& system, const FaceTerm& term) {
  if (!system.has_tensors()) return lower(system, term);
  FaceTerm weighted = term;
  weighted.flux = weighted_by_energies(system, term.flux);
  return lower(system, weighted);
}

std::vector<std::vector<double>> LoweredTerm::constants_at(const Discretization& discretization, const Problem& problem,
                                                           const ElementTerm& term) const {
  check_sizes(term.name, term.parameters, term.elements.size());
  check_sizes(term.name, term.profiles, term.elements.size() * profile_places(discretization, term));
  ConstantsOfTerm of_term(constants, problem, term);
  std::vector<std::vector<double>> values;
  for (std::size_t i = 0; i < term.elements.size(); ++i) {
    const std::size_t k = index(term.elements[i]);
    values.push_back(of_term.at(i, [&](Side, std::size_t p) { return problem.parameters[p][k]; }));
  }
  return values;
}

std::vector<std::vector<double>> LoweredTerm::constants_at(const Discretization& discretization, const Problem& problem,
                                                           const FaceTerm& term) const {
  check_sizes(term.name, term.parameters, term.faces.size());
  check_sizes(term.name, term.profiles, term.faces.size() * static_cast<std::size_t>(discretization.Nfp()));
  if (!term.others.empty() && term.others.size() != term.faces.size()) {
    throw std::invalid_argument("term " + term.name + ": one other side a face is needed, or none");
  }
  ConstantsOfTerm of_term(constants, problem, term);
  std::vector<std::vector<double>> values;
  for (std::size_t i = 0; i < term.faces.size(); ++i) {
    const std::size_t k = index(term.faces[i].element), other = index(other_side(discretization, term, i) / 4);
    values.push_back(of_term.at(
        i, [&](Side side, std::size_t p) { return problem.parameters[p][side == Side::inside ? k : other]; }));
  }
  return values;
}

std::vector<std::vector<double>> LoweredTerm::constants_at_points(const Problem& problem,
                                                                  const ElementTerm& term) const {
  const VaryingParameters& varying = problem.varying;
  ConstantsOfTerm of_term(constants, problem, term);
  std::vector<std::vector<double>> values;
  for (std::size_t i = 0; varying.any() && i < term.elements.size(); ++i) {
    const std::size_t k = index(term.elements[i]);
    const std::ptrdiff_t found = varying.find(k);
    for (std::size_t point = 0; point < varying.points; ++point) {
      values.push_back(of_term.at(i, [&](Side, std::size_t p) {
        return found < 0 ? problem.parameters[p][k]
                         : varying.values[p][static_cast<std::size_t>(found) * varying.points + point];
      }));
    }
  }
  return values;
}

std::int32_t other_side(const Discretization& discretization, const FaceTerm& term, std::size_t i) {
  if (!term.others.empty()) return 4 * term.others[i].element + term.others[i].face;
  const auto& [element, face] = term.faces[i];
  const std::int32_t neighbour =
      discretization.connectivity.neighbours[static_cast<std::size_t>(element)][static_cast<std::size_t>(face)];
  return neighbour < 0 ? 4 * element + face : neighbour;
}

std::size_t auxiliary_places(const Discretization& discretization, std::size_t element) {
  return static_cast<std::size_t>(discretization.mesh.curved.is_curved(element)
                                      ? discretization.curved->quadrature.volume_points()
                                      : discretization.Np());
}

std::size_t profile_places(const Discretization& discretization, const ElementTerm& term) {
  // A rank whose part has no curved elements has none of such a term.
  const bool at_points = term.profiles_at_points && discretization.curved.has_value();
  return static_cast<std::size_t>(at_points ? discretization.curved->quadrature.volume_points() : discretization.Np());
}

std::size_t auxiliary_places(const Discretization& discretization, const FaceTerm::Face& face) {
  return static_cast<std::size_t>(discretization.mesh.curved.is_curved(index(face.element))
                                      ? discretization.curved->quadrature.face_points()
                                      : discretization.Nfp());
}

std::size_t auxiliary_count(const ElementTerm& term, const Discretization& discretization) {
  std::size_t places = 0;
  for (const std::int32_t k : term.elements) places += auxiliary_places(discretization, static_cast<std::size_t>(k));
  return term.auxiliary.size() * places;
}

std::size_t auxiliary_count(const FaceTerm& term, const Discretization& discretization) {
  std::size_t places = 0;
  for (const FaceTerm::Face& face : term.faces) places += auxiliary_places(discretization, face);
  return term.auxiliary.size() * places;
}

std::size_t auxiliary_count(const Problem& problem, const Discretization& discretization) {
  std::size_t count = 0;
  for (const ElementTerm& term : problem.element_terms) count += auxiliary_count(term, discretization);
  for (const FaceTerm& term : problem.face_terms) count += auxiliary_count(term, discretization);
  return count;
}

}  // namespace maxwell_dg::dg
