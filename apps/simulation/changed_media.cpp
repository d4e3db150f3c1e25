#include "apps/simulation/changed_media.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "apps/simulation/text.hpp"
#include "core/error.hpp"
#include "core/suggest.hpp"
#include "dg/time/stable_step.hpp"

namespace maxwell_dg::simulation {
namespace {

[[noreturn]] void throw_refusal(const std::string& why) {
  throw ConfigError("the medium cannot be changed: " + why);
}

std::size_t number_of(const dg::System& system, const std::string& constant) {
  const auto found = std::ranges::find(system.parameters, constant, &dg::System::Parameter::name);
  if (found != system.parameters.end()) return static_cast<std::size_t>(found - system.parameters.begin());
  std::vector<std::string> known;
  std::string list;
  for (const dg::System::Parameter& parameter : system.parameters) {
    known.push_back(parameter.name);
    list += (list.empty() ? "" : ", ") + parameter.name;
  }
  throw ConfigError("the equations have no constant '" + constant + "'" + core::did_you_mean(constant, known) +
                    "; they have: " + list);
}

void require_changeable(const Plan& plan) {
  if (plan.problem.system.name != "maxwell") {
    throw_refusal("the equations are '" + plan.problem.system.name + "'; it can be for Maxwell's with scalar media");
  }
  if (plan.ranks.size() > 1) throw_refusal("several processes compute the run; use one");
  if (plan.problem.varying.any()) {
    throw_refusal("constants vary within elements; leave out profile 'smooth' of the materials");
  }
  if (plan.discretization->complex_view.is_complex()) throw_refusal("phases make the fields complex; leave them out");
  if (plan.wants_powers()) {
    throw_refusal("outputs.energy.balance does not know the work that changes a medium; leave it out");
  }
  if (plan.config.checkpoint) {
    throw_refusal("a checkpoint would not know what it has become; leave the key checkpoint out");
  }
}

void require_value(const dg::System::Parameter& parameter, double value, std::size_t k) {
  const bool is_positive = parameter.meaning.range == dg::System::Meaning::Range::positive;
  const bool is_any = parameter.meaning.range == dg::System::Meaning::Range::any;
  if (std::isfinite(value) && (is_any || value > 0 || (!is_positive && value == 0))) return;
  throw_refusal(parameter.name + " of element " + std::to_string(k) + " would be " + core::format_number(value) +
                (is_any        ? "; a finite number is needed"
                 : is_positive ? "; a positive number is needed"
                               : "; a number of at least 0 is needed"));
}

/// [parameter][element] with the new values, inside.
std::vector<std::vector<double>> changed_parameters(const Plan& plan, const MediaValues& values) {
  const dg::System& system = plan.problem.system;
  std::vector<std::vector<double>> parameters = plan.problem.parameters;
  for (const auto& [constant, of_elements] : values) {
    const std::size_t p = number_of(system, constant);
    if (of_elements.size() != parameters[p].size()) {
      throw_refusal(constant + " has " + std::to_string(of_elements.size()) + " values; one each of the " +
                    std::to_string(parameters[p].size()) + " elements is needed");
    }
    const double factor = plan.scaling.number(system.parameters[p].meaning.dimension);
    for (std::size_t k = 0; k < of_elements.size(); ++k) {
      require_value(system.parameters[p], of_elements[k], k);
      parameters[p][k] = factor * of_elements[k];
    }
  }
  return parameters;
}

/// Whether the parameters of an element change.
std::vector<bool> changes(const Plan& plan, const std::vector<std::vector<double>>& parameters) {
  std::vector<bool> result(plan.discretization->K(), false);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    for (std::size_t k = 0; k < result.size(); ++k) {
      if (parameters[p][k] != plan.problem.parameters[p][k]) result[k] = true;
    }
  }
  return result;
}

/// What was computed from the old constants before the run, and would not follow.
void require_outside_of_terms(const Plan& plan, const std::vector<bool>& changed) {
  const auto require = [&](std::size_t k, const std::string& what) {
    if (!changed[k]) return;
    throw_refusal("element " + std::to_string(k) + " is " + what +
                  ", which was made for its constants; change those of other elements");
  };
  const dg::Connectivity& faces = plan.discretization->connectivity;
  for (const dg::ElementTerm& term : plan.problem.element_terms) {
    for (const std::int32_t k : term.elements) require(dg::index(k), "in the term '" + term.name + "'");
  }
  for (const dg::FaceTerm& term : plan.problem.face_terms) {
    const std::string at = "at a face of the term '" + term.name + "'";
    for (const dg::FaceTerm::Face& f : term.faces) {
      require(dg::index(f.element), at);
      const std::int32_t behind = faces.neighbours[dg::index(f.element)][dg::index(f.face)];
      if (behind >= 0) require(dg::index(behind / 4), at);
    }
    for (const dg::FaceTerm::Face& f : term.others) require(dg::index(f.element), at);
  }
  for (const dg::ElementFace& f : plan.far_field_faces) require(f.element, "at the surface of the far field");
}

/// Throws where the parameters, which the plan has now, need a shorter step than that of the run.
void require_step(const Plan& plan) {
  const double largest = dg::stable_step(*plan.discretization, plan.problem, *plan.method);
  if (plan.dt <= largest * (1 + 1e-12)) return;
  throw_refusal("it would need a step of " + time_text(largest / plan.scaling.time, plan.config.units) +
                ", and the run's is " + time_text(plan.dt / plan.scaling.time, plan.config.units) +
                "; begin with a smaller solver.cfl, at most " +
                core::format_number(std::floor(1000 * plan.config.solver.cfl * largest / plan.dt) / 1000));
}

/// E and H of the same D and B.
void keep_fluxes(const Plan& plan, dg::Operator& op, const std::vector<std::vector<double>>& parameters,
                 const std::vector<bool>& changed) {
  const dg::System& system = plan.problem.system;
  const std::size_t epsilon = number_of(system, "epsilon_r"), mu = number_of(system, "mu_r");
  const auto nodes = static_cast<std::size_t>(plan.discretization->Np());
  std::vector<double> q = op.own_state();
  for (std::size_t k = 0; k < changed.size(); ++k) {
    if (!changed[k]) continue;
    for (std::size_t f = 0; f < system.fields.size(); ++f) {
      const std::size_t p = system.fields[f].starts_with("E") ? epsilon : mu;
      const double factor = plan.problem.parameters[p][k] / parameters[p][k];
      const std::size_t first = (k * system.fields.size() + f) * nodes;
      for (std::size_t i = first; i < first + nodes; ++i) q[i] *= factor;
    }
  }
  op.set_own_state(q);
}

}  // namespace

std::vector<double> media_of(const Plan& plan, const std::string& constant) {
  const std::size_t p = number_of(plan.problem.system, constant);
  const double factor = plan.scaling.number(plan.problem.system.parameters[p].meaning.dimension);
  std::vector<double> values = plan.problem.parameters[p];
  for (double& value : values) value /= factor;
  return values;
}

void change_media(Plan& plan, dg::Operator& op, const MediaValues& values) {
  require_changeable(plan);
  std::vector<std::vector<double>> parameters = changed_parameters(plan, values);
  const std::vector<bool> changed = changes(plan, parameters);
  require_outside_of_terms(plan, changed);
  std::swap(plan.problem.parameters, parameters);  // the step is that of the plan's
  try {
    require_step(plan);
  } catch (...) {
    std::swap(plan.problem.parameters, parameters);
    throw;
  }
  std::swap(plan.problem.parameters, parameters);
  keep_fluxes(plan, op, parameters, changed);
  op.set_parameters(parameters);
  plan.problem.parameters = std::move(parameters);
}

}  // namespace maxwell_dg::simulation
