#include "dg/maxwell/homogeneous_medium.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/quantity.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

/// Is this parameter of a tensor what it is of a scalar?
bool is_isotropic(std::string_view component, double value, double scalar) {
  const bool is_off_diagonal = component == "yz" || component == "xz" || component == "xy";
  return std::abs(value - (is_off_diagonal ? 0 : scalar)) <= 1e-12 * scalar;
}

}  // namespace

double HomogeneousMedium::impedance() const {
  return std::sqrt(mu_r / epsilon_r);
}

double HomogeneousMedium::refractive_index() const {
  return std::sqrt(epsilon_r * mu_r);
}

std::string name_of(const HomogeneousMedium& medium) {
  if (medium == HomogeneousMedium{}) return "vacuum";
  return "epsilon_r " + core::brief(medium.epsilon_r) + ", mu_r " + core::brief(medium.mu_r);
}

MediumOfElement medium_of(const Problem& problem, std::size_t element) {
  if (problem.varying.find(element) >= 0) return {.name = "a medium that varies within it"};
  const auto& parameters = problem.system.parameters;
  const auto value_of = [&](std::string_view name) {
    const auto found = std::ranges::find(parameters, name, &System::Parameter::name);
    return problem.parameters.at(static_cast<std::size_t>(found - parameters.begin()))[element];
  };
  const HomogeneousMedium medium{.epsilon_r = value_of("epsilon_r"), .mu_r = value_of("mu_r")};
  if (value_of("sigma") != 0) return {.name = "a medium with losses"};
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const std::string_view name = parameters[p].name;
    for (const auto& [prefix, scalar] :
         {std::pair{std::string_view("epsilon_"), medium.epsilon_r}, std::pair{std::string_view("mu_"), medium.mu_r}}) {
      if (!name.starts_with(prefix)) continue;
      if (!is_isotropic(name.substr(prefix.size()), problem.parameters[p][element], scalar)) {
        return {.name = "an anisotropic medium"};
      }
    }
  }
  for (const ElementTerm& term : problem.element_terms) {
    if (!term.name.starts_with("dispersion")) continue;
    if (std::ranges::binary_search(term.elements, static_cast<std::int32_t>(element))) {
      return {.name = "a medium with poles"};
    }
  }
  return {.homogeneous = medium, .name = name_of(medium)};
}

std::optional<HomogeneousMedium> homogeneous_medium(const Problem& problem, std::size_t element) {
  return medium_of(problem, element).homogeneous;
}

}  // namespace maxwell_dg::dg::maxwell
