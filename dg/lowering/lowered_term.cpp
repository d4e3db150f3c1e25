#include "dg/lowering/lowered_term.hpp"

#include <algorithm>
#include <stdexcept>

#include "dg/lowering/hoister.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

namespace {

LoweredTerm lower(const System& system, const std::string& name, const std::vector<Expr>& added,
                  const std::vector<Expr>& rates) {
  if (static_cast<int>(added.size()) != system.field_count()) {
    throw std::invalid_argument("term " + name + ": one expression a field of the system is needed");
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

/// `parameter(side, index)` returns a parameter: the system's come first, the term's own follow.
template <class Parameter>
std::vector<double> evaluate(const Program& program, std::size_t count, const Parameter& parameter) {
  std::vector<double> work(program.size()), values(count);
  program.run([&](const Symbol& s) { return parameter(s.side, static_cast<std::size_t>(s.index)); }, work, values);
  return values;
}

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
  if (term.rates.size() != term.auxiliary.size()) {
    throw std::invalid_argument("term " + term.name + ": one rate for each auxiliary variable is needed");
  }
  return lower(system, term.name, term.added, term.rates);
}

LoweredTerm lower(const System& system, const FaceTerm& term) {
  return lower(system, term.name, term.flux, {});
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
  check_sizes(term.name, term.profiles, term.elements.size() * static_cast<std::size_t>(discretization.Np()));
  const std::size_t shared = problem.parameters.size();
  const Program program(constants);
  std::vector<std::vector<double>> values;
  for (std::size_t i = 0; i < term.elements.size(); ++i) {
    const auto k = static_cast<std::size_t>(term.elements[i]);
    values.push_back(evaluate(program, constants.size(), [&](Side, std::size_t p) {
      return p < shared ? problem.parameters[p][k] : term.parameters[p - shared][i];
    }));
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
  const std::size_t shared = problem.parameters.size();
  const Program program(constants);
  std::vector<std::vector<double>> values;
  for (std::size_t i = 0; i < term.faces.size(); ++i) {
    const auto k = static_cast<std::size_t>(term.faces[i].element);
    const auto other = static_cast<std::size_t>(other_side(discretization, term, i) / 4);
    values.push_back(evaluate(program, constants.size(), [&](Side side, std::size_t p) {
      if (p >= shared) return term.parameters[p - shared][i];
      return problem.parameters[p][side == Side::inside ? k : other];
    }));
  }
  return values;
}

std::vector<std::vector<double>> constants_at_points(const LoweredTerm& lowered, const Problem& problem,
                                                     const ElementTerm& term) {
  const VaryingParameters& varying = problem.varying;
  std::vector<std::vector<double>> values;
  if (!varying.any()) return values;
  const std::size_t shared = problem.parameters.size();
  const Program program(lowered.constants);
  for (std::size_t i = 0; i < term.elements.size(); ++i) {
    const auto k = static_cast<std::size_t>(term.elements[i]);
    const std::ptrdiff_t found = varying.find(k);
    for (std::size_t point = 0; point < varying.points; ++point) {
      values.push_back(evaluate(program, lowered.constants.size(), [&](Side, std::size_t p) {
        if (p >= shared) return term.parameters[p - shared][i];
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

std::size_t auxiliary_count(const ElementTerm& term, const Discretization& discretization) {
  std::size_t places = 0;
  for (const std::int32_t k : term.elements) places += auxiliary_places(discretization, static_cast<std::size_t>(k));
  return term.auxiliary.size() * places;
}

std::size_t auxiliary_count(const Problem& problem, const Discretization& discretization) {
  std::size_t count = 0;
  for (const ElementTerm& term : problem.element_terms) count += auxiliary_count(term, discretization);
  return count;
}

}  // namespace maxwell_dg::dg
