#include "apps/simulation/changed_media.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <Eigen/Core>
#include <Eigen/LU>

#include "apps/config/materials/media.hpp"
#include "apps/simulation/text.hpp"
#include "core/error.hpp"
#include "core/suggest.hpp"
#include "dg/lowering/varying_media.hpp"
#include "dg/maxwell/medium.hpp"
#include "dg/time/stable_step.hpp"

namespace maxwell_dg::simulation {
namespace {

[[noreturn]] void throw_refusal(const std::string& why) {
  throw ConfigError("the medium cannot be changed: " + why);
}

constexpr std::array<const char*, 3> of_tensors{"epsilon_r", "mu_r", "sigma"};  // the others follow from these

bool has_tensors(const Plan& plan) {
  return plan.problem.system.name == "maxwell_anisotropic";
}

std::size_t number_of(const Plan& plan, const std::string& constant) {
  const std::vector<dg::System::Parameter>& parameters = plan.problem.system.parameters;
  std::vector<std::string> known;
  for (const dg::System::Parameter& parameter : parameters) known.push_back(parameter.name);
  if (has_tensors(plan)) known.assign(of_tensors.begin(), of_tensors.end());
  const auto found = std::ranges::find(parameters, constant, &dg::System::Parameter::name);
  if (std::ranges::count(known, constant) > 0) return static_cast<std::size_t>(found - parameters.begin());
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  throw ConfigError("the equations have no constant '" + constant + "'" + core::did_you_mean(constant, known) +
                    "; they have: " + list);
}

using Tensor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// "epsilon_r" or "mu_r" of an element.
Tensor tensor_at(const Plan& plan, const std::vector<std::vector<double>>& parameters, const std::string& constant,
                 std::size_t k) {
  const std::string name = constant == "epsilon_r" ? "epsilon_" : "mu_";
  const auto at = [&](const char* component) {
    const auto found =
        std::ranges::find(plan.problem.system.parameters, name + component, &dg::System::Parameter::name);
    return parameters[static_cast<std::size_t>(found - plan.problem.system.parameters.begin())][k];
  };
  const double yz = at("yz"), xz = at("xz"), xy = at("xy");
  Tensor tensor;
  tensor << at("xx"), xy, xz, xy, at("yy"), yz, xz, yz, at("zz");
  return tensor;
}

void require_changeable(const Plan& plan) {
  if (plan.problem.system.name != "maxwell" && !has_tensors(plan)) {
    throw_refusal("the equations are '" + plan.problem.system.name + "'; it can be for Maxwell's");
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

[[noreturn]] void throw_wrong_count(const std::string& constant, std::size_t found, std::size_t elements) {
  throw_refusal(constant + " has " + std::to_string(found) + " values; one each of the " + std::to_string(elements) +
                " elements is needed");
}

/// [parameter][element] with the new values, inside, where media are scalars.
std::vector<std::vector<double>> changed_scalars(const Plan& plan, const MediaValues& values) {
  const dg::System& system = plan.problem.system;
  std::vector<std::vector<double>> parameters = plan.problem.parameters;
  for (const auto& [constant, of_elements] : values) {
    const std::size_t p = number_of(plan, constant);
    if (of_elements.size() == 9 * parameters[p].size()) {
      throw_refusal(constant + " of this run is one number an element; for tensors begin with one, such as " +
                    constant + ": [1, 1, 1], in some material");
    }
    if (of_elements.size() != parameters[p].size())
      throw_wrong_count(constant, of_elements.size(), parameters[p].size());
    const double factor = plan.scaling.number(system.parameters[p].meaning.dimension);
    for (std::size_t k = 0; k < of_elements.size(); ++k) {
      require_value(system.parameters[p], of_elements[k], k);
      parameters[p][k] = factor * of_elements[k];
    }
  }
  return parameters;
}

/// The tensor that is given to an element; the one that it has where there is none.
Tensor given_tensor(const Plan& plan, const MediaValues& values, const std::string& constant, std::size_t k) {
  const auto given = values.find(constant);
  if (given == values.end()) return tensor_at(plan, plan.problem.parameters, constant, k);
  const std::size_t elements = plan.discretization->K();
  if (given->second.size() == elements) return given->second[k] * Tensor::Identity();
  if (given->second.size() != 9 * elements) throw_wrong_count(constant, given->second.size(), elements);
  const Tensor tensor = Eigen::Map<const Tensor>(std::span(given->second).subspan(9 * k, 9).data());
  const std::string wrong = config::tensor_complaint(tensor);
  if (!wrong.empty()) throw_refusal(constant + " of element " + std::to_string(k) + " " + wrong);
  return (tensor + tensor.transpose()) / 2;
}

/// The same where they are tensors.
std::vector<std::vector<double>> changed_tensors(const Plan& plan, const MediaValues& values) {
  std::vector<std::vector<double>> parameters = plan.problem.parameters;
  const std::size_t elements = plan.discretization->K(), s = number_of(plan, "sigma");
  const double factor = plan.scaling.number(plan.problem.system.parameters[s].meaning.dimension);
  for (const auto& [constant, of_elements] : values) {
    const std::size_t p = number_of(plan, constant);
    if (of_elements.size() == 9 * elements && p != s) continue;
    if (of_elements.size() != elements) throw_wrong_count(constant, of_elements.size(), elements);
    for (std::size_t k = 0; k < elements; ++k) {
      require_value(plan.problem.system.parameters[p], of_elements[k], k);
      if (p == s) parameters[s][k] = factor * of_elements[k];
    }
  }
  for (std::size_t k = 0; k < elements; ++k) {
    const std::vector<double> all = dg::maxwell::anisotropic_parameters(
        given_tensor(plan, values, "epsilon_r", k), given_tensor(plan, values, "mu_r", k), parameters[s][k]);
    for (std::size_t p = 0; p < all.size(); ++p) parameters[p][k] = all[p];
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

/// Losses that are a term have been so from the beginning.
void require_no_new_losses(const Plan& plan, const std::vector<std::vector<double>>& parameters,
                           const std::vector<bool>& changed) {
  const std::vector<double>& sigma = parameters[number_of(plan, "sigma")];
  for (std::size_t k = 0; k < changed.size(); ++k) {
    if (!changed[k] || sigma[k] == 0 || !dg::losses_are_a_term(plan.problem, *plan.discretization, k)) continue;
    throw_refusal("element " + std::to_string(k) +
                  " is curved and would get losses, which beside tensors are set up before the first step; give its "
                  "material its sigma, or leave the tensors out");
  }
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

/// [field][field] What E, or H, of an element becomes when its medium does, so that D, or B, stays.
Tensor answer(const Plan& plan, const std::vector<std::vector<double>>& parameters, const std::string& constant,
              std::size_t k) {
  if (!has_tensors(plan)) {
    const std::size_t p = number_of(plan, constant);
    return plan.problem.parameters[p][k] / parameters[p][k] * Tensor::Identity();
  }
  const Tensor before = tensor_at(plan, plan.problem.parameters, constant, k);
  const Tensor after = tensor_at(plan, parameters, constant, k);
  return before == after ? Tensor(Tensor::Identity()) : Tensor(after.inverse() * before);
}

/// E and H of the same D and B.
void keep_fluxes(const Plan& plan, dg::Operator& op, const std::vector<std::vector<double>>& parameters,
                 const std::vector<bool>& changed) {
  using Values = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;  // [component][node]
  const auto nodes = static_cast<std::size_t>(plan.discretization->Np());
  std::vector<double> q = op.own_state();  // [element][Ex Ey Ez Hx Hy Hz][node]
  for (std::size_t k = 0; k < changed.size(); ++k) {
    if (!changed[k]) continue;
    for (const auto& [first, constant] : {std::pair(0, "epsilon_r"), {3, "mu_r"}}) {
      const std::span<double> vector =
          std::span(q).subspan((6 * k + static_cast<std::size_t>(first)) * nodes, 3 * nodes);
      Eigen::Map<Values> values(vector.data(), 3, static_cast<Eigen::Index>(nodes));
      values = (answer(plan, parameters, constant, k) * values).eval();
    }
  }
  op.set_own_state(q);
}

}  // namespace

std::vector<double> media_of(const Plan& plan, const std::string& constant) {
  const std::size_t p = number_of(plan, constant);
  if (has_tensors(plan) && constant != "sigma") {
    std::vector<double> tensors;
    for (std::size_t k = 0; k < plan.discretization->K(); ++k) {
      const Tensor tensor = tensor_at(plan, plan.problem.parameters, constant, k);
      tensors.insert(tensors.end(), tensor.data(), tensor.data() + 9);
    }
    return tensors;
  }
  const double factor = plan.scaling.number(plan.problem.system.parameters[p].meaning.dimension);
  std::vector<double> values = plan.problem.parameters[p];
  for (double& value : values) value /= factor;
  return values;
}

void change_media(Plan& plan, dg::Operator& op, const MediaValues& values) {
  require_changeable(plan);
  std::vector<std::vector<double>> parameters =
      has_tensors(plan) ? changed_tensors(plan, values) : changed_scalars(plan, values);
  const std::vector<bool> changed = changes(plan, parameters);
  require_outside_of_terms(plan, changed);
  require_no_new_losses(plan, parameters, changed);
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
