#include "dg/maxwell/dispersion.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "core/mpi/of_all.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/symbolic/oscillation.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;

namespace {

constexpr int numbers_a_pole = 3;  // strength, rate, frequency

VectorField add_auxiliary(const System& system, ElementTerm& term, const std::string& name) {
  const VectorField field{system.field_count() + static_cast<int>(term.auxiliary.size())};
  for (const char* axis : {"x", "y", "z"}) term.auxiliary.push_back(name + axis);
  return field;
}

void add_rates(ElementTerm& term, const Vector& rate) {
  for (int axis = 0; axis < 3; ++axis) term.rates.push_back(rate[axis]);
}

ElementTerm make_dispersion_term(const System& system, const std::vector<Pole::Model>& models) {
  ElementTerm term{.name = "dispersion"};
  const auto shared = static_cast<int>(system.parameters.size());
  Vector current;
  for (std::size_t p = 0; p < models.size(); ++p) {
    const auto own = [&](int i) { return inside(ParameterField{shared + numbers_a_pole * static_cast<int>(p) + i}); };
    const Expr strength = own(0), rate = own(1), frequency = own(2);
    const std::string number = std::to_string(p);
    switch (models[p]) {
      case Pole::Model::debye: {  // dP/dt = rate (strength E - P), J = dP/dt
        const VectorField P = add_auxiliary(system, term, "P" + number);
        const Vector J = rate * (strength * inside(E) - inside(P));
        add_rates(term, J);
        current = current + J;
        term.fastest_rate = term.fastest_rate + rate * (1.0 + strength);
        break;
      }
      case Pole::Model::drude: {  // dJ/dt = strength^2 E - rate J
        const VectorField J = add_auxiliary(system, term, "J" + number);
        add_rates(term, strength * strength * inside(E) - rate * inside(J));
        current = current + inside(J);
        term.fastest_rate = term.fastest_rate + rate + weight_of_oscillation * strength;
        break;
      }
      case Pole::Model::lorentz: {  // dJ/dt = frequency^2 (strength E - P) - rate J, dP/dt = J
        const VectorField P = add_auxiliary(system, term, "P" + number);
        add_rates(term, inside(VectorField{P.first + 3}));
        const VectorField J = add_auxiliary(system, term, "J" + number);
        add_rates(term, frequency * frequency * (strength * inside(E) - inside(P)) - rate * inside(J));
        current = current + inside(J);
        term.fastest_rate = term.fastest_rate + rate + weight_of_oscillation * frequency * sqrt(1.0 + strength);
        break;
      }
    }
  }
  term.added = response(system, current, {});
  return term;
}

}  // namespace

std::vector<ElementTerm> dispersion_terms(const System& system, const std::vector<DispersiveMedium>& media,
                                          const core::Communicator& ranks) {
  std::map<std::vector<Pole::Model>, std::vector<std::pair<std::int32_t, const DispersiveMedium*>>> alike;
  for (const DispersiveMedium& medium : media) {
    std::vector<Pole::Model> models;
    for (const Pole& pole : medium.poles) models.push_back(pole.model);
    auto& places = alike[models];
    for (const std::int32_t k : medium.elements) places.emplace_back(k, &medium);
  }
  std::vector<ElementTerm> terms;
  for (auto& [models, places] : alike) {
    if (models.empty() || !core::on_any(ranks, !places.empty())) continue;
    std::ranges::sort(places, {}, [](const auto& place) { return place.first; });
    ElementTerm& term = terms.emplace_back(make_dispersion_term(system, models));
    term.name += "_" + std::to_string(terms.size());
    term.parameters.resize(numbers_a_pole * models.size());
    for (const auto& [k, medium] : places) {
      term.elements.push_back(k);
      for (std::size_t p = 0; p < models.size(); ++p) {
        const Pole& pole = medium->poles[p];
        term.parameters[numbers_a_pole * p].push_back(pole.strength);
        term.parameters[numbers_a_pole * p + 1].push_back(pole.rate);
        term.parameters[numbers_a_pole * p + 2].push_back(pole.frequency);
      }
    }
  }
  return terms;
}

}  // namespace maxwell_dg::dg::maxwell
